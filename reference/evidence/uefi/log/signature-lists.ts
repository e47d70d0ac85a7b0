import { toHex } from '../../../bytes/hex.ts'
import type { Reader } from '../../../bytes/reader.ts'
import { readGuid } from './guid.ts'

/** EFI_SIGNATURE_DATA: a certificate or digest, and who brought it. */
export interface SignatureEntry {
  /** GUID of the kind of signature; undefined outside a list */
  readonly type?: string
  readonly owner: string
  /** lower-case hexadecimal */
  readonly data: string
}

/** The owner of a signature that came without one. */
export const UNKNOWN_OWNER = ''

/** Bytes of EFI_SIGNATURE_LIST before the header of the signatures. */
const LIST_HEAD = 28
const OWNER = 16

const SHA256_KIND = 'c1c41626-504c-4092-aca9-41f936934328'
const SHA256_DIGITS = 64

/** Kinds whose lists have no header, by GUID, with the bytes of one signature where that is fixed (UEFI 32.4.1). */
const KNOWN_KINDS: ReadonlyMap<string, number | undefined> = new Map([
  ['a5c059a1-94e4-4aa7-87b5-ab155c2bf072', undefined],
  [SHA256_KIND, 48],
  ['0b6e5233-a65c-44c9-9407-d9ab83bfc8bd', 44],
  ['ff3e5307-9fd0-48c9-85f1-8ad56c701e01', 64],
  ['093e0fae-a6c4-4f50-9f1b-d41e2b89c19a', 80],
  ['3bd2a492-96c0-4079-b420-fcf98ef103ed', 64],
  ['7076876e-80c2-4ee6-aad2-28b349a6865b', 80],
  ['446dbf63-2502-4cda-bcfa-2465d2b0fe9d', 96],
  ['826ca512-cf10-4ac9-b187-be01496631bd', 36],
])

/**
 * Reads EFI_SIGNATURE_LISTs up to the end of the input. The header of a list is skipped by its size, and a kind that
 * has none must not claim one: otherwise one reader would take its bytes for signatures and another would not.
 */
export function readSignatureLists(reader: Reader): readonly SignatureEntry[] {
  const entries: SignatureEntry[] = []
  for (let number = 0; reader.remaining > 0; number++)
    reader.field(`[${number}]`, () => readList(reader, entries))
  return entries
}

function readList(reader: Reader, entries: SignatureEntry[]): void {
  const at = reader.offset
  const type = readGuid(reader)
  const listSize = reader.field('.signatureListSize', () => reader.u32())
  const headerSize = reader.field('.signatureHeaderSize', () => reader.u32())
  const size = reader.field('.signatureSize', () => reader.u32())
  if (listSize < LIST_HEAD) throw reader.error(`a list of ${listSize} bytes, 28 is the least`, at)
  if (size <= OWNER) throw reader.error(`signatures of ${size} bytes, 17 is the least`, at)
  checkKind(reader, at, type, headerSize, size)
  reader.within(listSize - LIST_HEAD, () => {
    reader.field('.signatureHeader', () => reader.take(headerSize))
    if (reader.remaining % size !== 0)
      throw reader.error(`${reader.remaining} bytes are no number of signatures of ${size}`)
    while (reader.remaining > 0) entries.push(readSignature(reader, size, type))
  })
}

function checkKind(
  reader: Reader,
  at: number,
  type: string,
  headerSize: number,
  size: number,
): void {
  if (!KNOWN_KINDS.has(type)) return
  const expected = KNOWN_KINDS.get(type)
  if (headerSize !== 0)
    throw reader.error(`a header of ${headerSize} bytes, this kind of list has none`, at)
  if (expected !== undefined && expected !== size)
    throw reader.error(`signatures of ${size} bytes, expected ${expected}`, at)
}

/**
 * Whether firmware looks a signature up: it skips kinds that it does not know, so that a digest under the kind of a
 * certificate forbids nothing.
 */
export function isLookedUp({ type, data }: SignatureEntry): boolean {
  const isDigest = data.length === SHA256_DIGITS
  return type !== undefined && KNOWN_KINDS.has(type) && (!isDigest || type === SHA256_KIND)
}

/** EFI_SIGNATURE_DATA of a known size. */
export function readSignature(reader: Reader, size: number, type?: string): SignatureEntry {
  const owner = readGuid(reader)
  const data = toHex(reader.take(size - OWNER))
  return { ...(type !== undefined && { type }), owner, data }
}
