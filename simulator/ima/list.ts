import { Cursor } from '../tpm/cursor.ts'
import { cat, equal, filled, text, u32le } from '../tpm/write.ts'

/** One measurement of a binary IMA list, its template data exactly as it came. */
export interface ImaEntry {
  readonly pcr: number
  /** SHA-1 of the template data, as the list has it; all zero for a violation. */
  readonly templateHash: Uint8Array
  /** e.g. `ima-sig`. */
  readonly template: string
  /** The fields in order: for `ima` the bare digest and name, else each field without its length. */
  readonly fields: readonly Uint8Array[]
}

const TEMPLATE_HASH_SIZE = 20

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** The original template has no lengths but one: twenty digest bytes, then a counted name. */
function readImaFields(cursor: Cursor): Uint8Array[] {
  return [cursor.take(TEMPLATE_HASH_SIZE), cursor.take(cursor.u32le())]
}

/** All other templates: a counted block of counted fields. */
function readCountedFields(cursor: Cursor): Uint8Array[] {
  const data = new Cursor(cursor.take(cursor.u32le()), 'IMA template data')
  const fields: Uint8Array[] = []
  while (data.left > 0) fields.push(data.take(data.u32le()))
  return fields
}

/**
 * Reads a binary IMA list of mixed templates, known or not, as a little-endian kernel writes it.
 * Throws ShortRead when an entry is cut.
 */
export function parseImaList(bytes: Uint8Array): ImaEntry[] {
  const cursor = new Cursor(bytes, 'IMA list')
  const entries: ImaEntry[] = []
  while (cursor.left > 0) {
    const pcr = cursor.u32le()
    const templateHash = cursor.take(TEMPLATE_HASH_SIZE)
    const template = decode(cursor.take(cursor.u32le()))
    const fields = template === 'ima' ? readImaFields(cursor) : readCountedFields(cursor)
    entries.push({ pcr, templateHash, template, fields })
  }
  return entries
}

function counted(bytes: Uint8Array): Uint8Array {
  return cat(u32le(bytes.length), bytes)
}

function writeFields({ template, fields }: ImaEntry): Uint8Array {
  if (template !== 'ima') return counted(cat(...fields.map(counted)))
  const [digest = filled(TEMPLATE_HASH_SIZE), name = filled(0)] = fields
  return cat(digest, counted(name))
}

/** The binary list of the entries, as the kernel writes it. */
export function writeImaList(entries: readonly ImaEntry[]): Uint8Array {
  return cat(
    ...entries.flatMap((entry) => [
      u32le(entry.pcr),
      entry.templateHash,
      counted(text(entry.template)),
      writeFields(entry),
    ]),
  )
}

/** Whether the entry says that the kernel could not vouch for a file: its template hash is all zero. */
export function isViolation(entry: ImaEntry): boolean {
  return equal(entry.templateHash, filled(entry.templateHash.length))
}
