import { Buffer } from 'node:buffer'

const BLOCK = 512

interface TarEntry {
  /** Path in the archive, at most 100 bytes. */
  readonly name: string
  readonly text: string
  /** Permission bits. */
  readonly mode: number
}

/** An uncompressed archive of regular files in the ustar format (POSIX.1-2017, pax, "ustar Interchange Format"). */
export function tarOf(entries: readonly TarEntry[], now: number): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.text)
    return [headerOf(entry, content.length, now), content, Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

/** Offset and text of each field that is not left as zeros; regular files do not need the rest of a header. */
function headerOf({ name, mode }: TarEntry, size: number, now: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const fields: readonly (readonly [offset: number, text: string])[] = [
    [0, name],
    [100, octal(mode, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(Math.floor(now / 1000), 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\0' + '00'],
  ]
  for (const [offset, text] of fields) header.write(text, offset)
  // The checksum is computed with blanks in its own field.
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width, '0')
}
