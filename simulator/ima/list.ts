import { Cursor } from '../tpm/cursor.ts'
import { cat, equal, filled, join, text, u32le } from '../tpm/write.ts'

/** One measurement of a binary IMA list, with its template data unchanged. */
export interface ImaEntry {
  readonly pcr: number
  /** SHA-1 of the template data, as the list states it; all zero for a violation. */
  readonly templateHash: Uint8Array
  /** e.g. `ima-sig` */
  readonly template: string
  /** The fields in order: for `ima` the bare digest and name, else each field without its length. */
  readonly fields: readonly Uint8Array[]
}

const TEMPLATE_HASH_SIZE = 20

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** An entry with its position in the list. */
export interface LocatedEntry {
  readonly entry: ImaEntry
  /** Offset of its first byte, and its length in bytes. */
  readonly offset: number
  readonly length: number
  /** Offset of the content of each field. */
  readonly fieldOffsets: readonly number[]
}

type Fields = Pick<ImaEntry, 'fields'> & Pick<LocatedEntry, 'fieldOffsets'>

/** The original template has a single length: twenty digest bytes, then a counted name. */
function readImaFields(cursor: Cursor): Fields {
  const start = cursor.offset
  const digest = cursor.named('digest').take(TEMPLATE_HASH_SIZE)
  const size = cursor.named('name length').u32le()
  return {
    fields: [digest, cursor.named('name').take(size)],
    fieldOffsets: [start, cursor.offset - size],
  }
}

/** All other templates: a counted block of counted fields. */
function readCountedFields(cursor: Cursor): Fields {
  const size = cursor.named('template data length').u32le()
  const data = cursor.named('template data').within(size, 'IMA template data')
  const fields: Uint8Array[] = []
  const fieldOffsets: number[] = []
  while (data.left > 0) {
    const length = data.named(`length of field ${fields.length}`).u32le()
    fieldOffsets.push(data.offset)
    fields.push(data.named(`field ${fields.length}`).take(length))
  }
  return { fields, fieldOffsets }
}

/**
 * Reads a binary IMA list of mixed templates, known or not, in little-endian order. Yields entry by entry, so that
 * the entries before a cut can be used. Throws ShortRead at a truncated entry.
 */
export function* readImaList(bytes: Uint8Array): Generator<LocatedEntry> {
  const cursor = new Cursor(bytes, 'IMA list')
  while (cursor.left > 0) {
    const offset = cursor.offset
    const pcr = cursor.named('PCR number').u32le()
    const templateHash = cursor.named('template hash').take(TEMPLATE_HASH_SIZE)
    const nameSize = cursor.named('template name length').u32le()
    const template = decode(cursor.named('template name').take(nameSize))
    const { fields, fieldOffsets } =
      template === 'ima' ? readImaFields(cursor) : readCountedFields(cursor)
    const entry = { pcr, templateHash, template, fields }
    yield { entry, offset, length: cursor.offset - offset, fieldOffsets }
  }
}

/** Returns the entries of a binary list. Throws ShortRead at a truncated entry. */
export function parseImaList(bytes: Uint8Array): ImaEntry[] {
  return Array.from(readImaList(bytes), ({ entry }) => entry)
}

function counted(bytes: Uint8Array): Uint8Array {
  return cat(u32le(bytes.length), bytes)
}

function writeFields({ template, fields }: ImaEntry): Uint8Array {
  if (template !== 'ima') return counted(join(fields.map(counted)))
  const [digest = filled(TEMPLATE_HASH_SIZE), name = filled(0)] = fields
  return cat(digest, counted(name))
}

/** Returns the binary list of the entries, as the kernel writes it. */
export function writeImaList(entries: readonly ImaEntry[]): Uint8Array {
  return join(
    entries.flatMap((entry) => [
      u32le(entry.pcr),
      entry.templateHash,
      counted(text(entry.template)),
      writeFields(entry),
    ]),
  )
}

/** Whether the entry records a violation (an unreliable measurement): its template hash is all zero. */
export function isViolation(entry: ImaEntry): boolean {
  return equal(entry.templateHash, filled(entry.templateHash.length))
}
