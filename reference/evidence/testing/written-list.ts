import { hash } from 'node:crypto'

/** One entry as a kernel would print it, and the bytes it would extend. */
export interface WrittenEntry {
  readonly line: string
  readonly data: Uint8Array
}

/** Fields of an entry; the default digest is that of the buffer or of the file. */
interface EntryFacts {
  /** `ima-ng`, `ima-sig`, `ima-sigv2` or `ima-buf` */
  readonly template: string
  readonly name: string
  readonly digest: { readonly algorithm: string; readonly hex: string }
  /** before the algorithm in the v2 templates: `ima:`, `verity:` */
  readonly type?: string
  /** third field */
  readonly extra?: Uint8Array
}

function counted(field: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(field.length)
  return Buffer.concat([size, field])
}

export function writeEntry({ template, name, digest, type = '', extra }: EntryFacts): WrittenEntry {
  const before = `${type}${digest.algorithm}:`
  const fields = [
    Buffer.concat([Buffer.from(`${before}\0`), Buffer.from(digest.hex, 'hex')]),
    Buffer.from(`${name}\0`),
    ...(template === 'ima-ng' ? [] : [extra ?? new Uint8Array()]),
  ]
  const data = Buffer.concat(fields.map(counted))
  const end = template === 'ima-ng' ? '' : ` ${Buffer.from(extra ?? []).toString('hex')}`
  const line = `10 ${hash('sha1', data)} ${template} ${before}${digest.hex} ${name}${end}`
  return { line, data }
}

/** An entry of a measured buffer. */
export function bufferEntry(name: string, buffer: Uint8Array, digestOf = buffer): WrittenEntry {
  const digest = { algorithm: 'sha256', hex: hash('sha256', digestOf) }
  return writeEntry({ template: 'ima-buf', name, digest, extra: buffer })
}

/** The ASCII list of some entries. */
export function listOf(entries: readonly WrittenEntry[]): Uint8Array {
  return Buffer.from(entries.map(({ line }) => `${line}\n`).join(''))
}

/** PCR 10 of the SHA-256 bank after these entries. */
export function pcrAfter(entries: readonly WrittenEntry[]): Uint8Array {
  return entries.reduce<Buffer>(
    (value, { data }) =>
      hash('sha256', Buffer.concat([value, hash('sha256', data, 'buffer')]), 'buffer'),
    Buffer.alloc(32),
  )
}
