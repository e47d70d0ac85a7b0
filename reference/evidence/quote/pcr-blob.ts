import { Reader } from '../../bytes/reader.ts'
import { concat, Writer } from '../../bytes/writer.ts'
import { type HashAlgorithm, hashById, hashByName } from '../../tpm/algorithms.ts'
import { bitmapOf, pcrsOf } from '../../tpm/structures-common.ts'
import type { ClaimedPcrs } from './claimed-pcrs.ts'

const SELECTION_SLOTS = 16
const SELECTION_SLOT = 8
const DIGESTS_PER_LIST = 8
const DIGEST_BUFFER = 64
const DIGEST_SLOT = 2 + DIGEST_BUFFER

interface Selection {
  readonly hash: HashAlgorithm
  readonly pcrs: readonly number[]
}

/**
 * Reads the PCR part of a quote: the little-endian image of the C structures TPML_PCR_SELECTION and TPML_DIGEST[]
 * that tpm2-tools writes with `-F serialized`; 136 + 532·n bytes.
 *
 * Digests are assigned to the selected PCRs bank by bank, ascending. Unused parts of the C structures must be zero,
 * as it is wherever the image was made: no digest covers it, and another reader may go by it.
 *
 * @throws {WireError} when the image does not hold exactly one digest of the right size for every selected PCR
 */
export function parsePcrBlob(bytes: Uint8Array): ClaimedPcrs {
  const reader = new Reader(bytes, 'PCR_BLOB', 'little')
  const selections = reader.field('.pcrSelect', () => readSelections(reader))
  const digests = reader.field('.digests', () => readDigestLists(reader))
  reader.finish()
  return assign(reader, selections, digests)
}

function readSelections(reader: Reader): readonly Selection[] {
  const at = reader.offset
  const count = reader.field('.count', () => reader.u32())
  if (count < 1 || count > SELECTION_SLOTS)
    throw reader.error(`${count} banks, 1 to ${SELECTION_SLOTS} allowed`, at)
  const selections = Array.from({ length: count }, (_, index) =>
    reader.field(`[${index}]`, () => readSelection(reader)),
  )
  reader.field('.unused', () => reader.padding((SELECTION_SLOTS - count) * SELECTION_SLOT))
  return selections
}

function readSelection(reader: Reader): Selection {
  const at = reader.offset
  const id = reader.field('.hash', () => reader.u16())
  const hash = hashById(id)
  if (!hash) throw reader.error(`bank 0x${id.toString(16).padStart(4, '0')} is not known`, at)
  const size = reader.field('.sizeofSelect', () => reader.u8())
  if (size !== 3) throw reader.error(`sizeofSelect is ${size}, expected 3`, at + 2)
  const bitmap = reader.take(3)
  reader.field('.padding', () => reader.padding(2))
  return { hash, pcrs: pcrsOf(bitmap) }
}

function readDigestLists(reader: Reader): readonly Uint8Array[] {
  const at = reader.offset
  const count = reader.field('.count', () => reader.u32())
  const size = 4 + DIGESTS_PER_LIST * DIGEST_SLOT
  if (count * size !== reader.remaining)
    throw reader.error(
      `${count} lists of ${size} bytes announced, ${reader.remaining} bytes left`,
      at,
    )
  return Array.from({ length: count }, (_, index) =>
    reader.field(`[${index}]`, () => readDigests(reader)),
  ).flat()
}

function readDigests(reader: Reader): readonly Uint8Array[] {
  const at = reader.offset
  const count = reader.u32()
  if (count < 1 || count > DIGESTS_PER_LIST)
    throw reader.error(`${count} digests in a list of ${DIGESTS_PER_LIST}`, at)
  const digests = Array.from({ length: count }, (_, index) =>
    reader.field(`[${index}]`, () => readDigest(reader)),
  )
  reader.field('.unused', () => reader.padding((DIGESTS_PER_LIST - count) * DIGEST_SLOT))
  return digests
}

function readDigest(reader: Reader): Uint8Array {
  const at = reader.offset
  const size = reader.u16()
  if (size > DIGEST_BUFFER) throw reader.error(`${size} bytes in a buffer of ${DIGEST_BUFFER}`, at)
  const digest = reader.take(size)
  reader.field('.padding', () => reader.padding(DIGEST_BUFFER - size))
  return digest
}

function assign(
  reader: Reader,
  selections: readonly Selection[],
  digests: readonly Uint8Array[],
): ClaimedPcrs {
  const wanted = selections.reduce((sum, { pcrs }) => sum + pcrs.length, 0)
  if (wanted !== digests.length)
    throw reader.error(`${digests.length} digests for ${wanted} selected PCRs`)
  if (new Set(selections.map(({ hash }) => hash.id)).size !== selections.length)
    throw reader.error('a bank is selected twice')
  let next = 0
  return selections.map(({ hash, pcrs }) => {
    const values = pcrs.map((pcr) => {
      const value = digests[next++]
      if (value?.length !== hash.size)
        throw reader.error(
          `PCR ${pcr} of ${hash.name} has ${value?.length} bytes, expected ${hash.size}`,
        )
      return [pcr, value] as const
    })
    return { bank: hash.name, values: new Map(values) }
  })
}

/** Writes the image that {@link parsePcrBlob} reads. */
export function writePcrBlob(claimed: ClaimedPcrs): Uint8Array {
  const writer = new Writer('little')
  writer.u32(claimed.length)
  for (const { bank, values } of claimed) {
    writer.u16(hashByName(bank)?.id ?? 0)
    writer.u8(3)
    writer.put(concat(bitmapOf(values.keys()), new Uint8Array(2)))
  }
  writer.put(new Uint8Array((SELECTION_SLOTS - claimed.length) * SELECTION_SLOT))
  const digests = claimed.flatMap(({ values }) => [...values.values()])
  writer.u32(Math.ceil(digests.length / DIGESTS_PER_LIST))
  for (let at = 0; at < digests.length; at += DIGESTS_PER_LIST)
    writeDigests(writer, digests.slice(at, at + DIGESTS_PER_LIST))
  return writer.finish()
}

function writeDigests(writer: Writer, digests: readonly Uint8Array[]): void {
  writer.u32(digests.length)
  for (let slot = 0; slot < DIGESTS_PER_LIST; slot++) {
    const digest = digests[slot] ?? new Uint8Array()
    writer.u16(digest.length)
    writer.put(concat(digest, new Uint8Array(DIGEST_BUFFER - digest.length)))
  }
}
