import { crc32 } from 'node:zlib'
import { Writer } from './writer.ts'

export interface ZipEntry {
  readonly name: string
  readonly content: string | Uint8Array
  /** File type and permissions of Unix; default: a regular file. */
  readonly mode?: number
}

/** A zip archive whose entries are stored as they are, with any names and no time (APPNOTE.TXT 4.3); up to 65,535 entries. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const archive = new Writer('little')
  const directory = new Writer('little')
  let offset = 0
  let directorySize = 0
  for (const { name, content, mode = 0o100644 } of entries) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const file = new TextEncoder().encode(name)
    archive.u32(0x04034b50)
    archive.u16(20)
    writeFacts(archive, bytes, file.length)
    archive.put(file)
    archive.put(bytes)
    directory.u32(0x02014b50)
    directory.u16(0x0314)
    directory.u16(20)
    writeFacts(directory, bytes, file.length)
    directory.put(new Uint8Array(6))
    directory.u32((mode << 16) >>> 0)
    directory.u32(offset)
    directory.put(file)
    offset += 30 + file.length + bytes.length
    directorySize += 46 + file.length
  }
  archive.put(directory.finish())
  archive.u32(0x06054b50)
  archive.put(new Uint8Array(4))
  archive.u16(entries.length)
  archive.u16(entries.length)
  archive.u32(directorySize)
  archive.u32(offset)
  archive.u16(0)
  return archive.finish()
}

/** Flags, method, time, date, CRC, both sizes, length of the name, no extra field: the same in both places. */
function writeFacts(writer: Writer, bytes: Uint8Array, nameLength: number): void {
  writer.put(new Uint8Array(8))
  writer.u32(crc32(bytes))
  writer.u32(bytes.length)
  writer.u32(bytes.length)
  writer.u16(nameLength)
  writer.u16(0)
}
