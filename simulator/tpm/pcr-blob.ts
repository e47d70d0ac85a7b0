import { Cursor } from './cursor.ts'
import type { TPMS_PCR_SELECTION } from './pcr-selection.ts'
import { pcrBitmap, pcrsOfBitmap } from './pcr-selection.ts'
import { cat, filled, u8, u16le, u32le } from './write.ts'

/**
 * The third part of a pull-mode quote: what `tpm2_quote -F serialized` writes, a little-endian dump of
 * TPML_PCR_SELECTION (132 bytes), a u32 number of lists, and that many TPML_DIGEST of 532 bytes.
 */

const SELECTION_SLOTS = 16
const DIGESTS_PER_LIST = 8
const DIGEST_SLOT = 64

function writeSelectionSlot(one: TPMS_PCR_SELECTION | undefined): Uint8Array {
  if (one === undefined) return filled(8)
  return cat(u16le(one.hash), u8(one.sizeofSelect), pcrBitmap(one.pcrs, 4), u8(0))
}

function writeDigestSlot(value: Uint8Array | undefined): Uint8Array {
  if (value === undefined) return filled(2 + DIGEST_SLOT)
  return cat(u16le(value.length), value, filled(Math.max(0, DIGEST_SLOT - value.length)))
}

function writeDigestList(values: readonly Uint8Array[]): Uint8Array {
  const slots = Array.from({ length: DIGESTS_PER_LIST }, (_, index) =>
    writeDigestSlot(values[index]),
  )
  return cat(u32le(values.length), ...slots)
}

/**
 * The blob for PCR values in the order of their selection: 136 + 532·n bytes, n = one list for eight values.
 * It says whatever it is given: more or fewer values than selected PCRs are written as they come.
 */
export function writePcrBlob(
  selections: readonly TPMS_PCR_SELECTION[],
  values: readonly Uint8Array[],
): Uint8Array {
  const slots = Array.from({ length: SELECTION_SLOTS }, (_, index) =>
    writeSelectionSlot(selections[index]),
  )
  const lists = Array.from({ length: Math.ceil(values.length / DIGESTS_PER_LIST) }, (_, index) =>
    writeDigestList(values.slice(index * DIGESTS_PER_LIST, (index + 1) * DIGESTS_PER_LIST)),
  )
  return cat(u32le(selections.length), ...slots, u32le(lists.length), ...lists)
}

function readDigestList(cursor: Cursor): Uint8Array[] {
  const count = cursor.u32le()
  const slots = Array.from({ length: DIGESTS_PER_LIST }, () => {
    const size = cursor.u16le()
    return cursor.take(DIGEST_SLOT).subarray(0, size)
  })
  return slots.slice(0, count)
}

/** Selections and values of a blob; counts that exceed their slots are read as full. Throws ShortRead when cut. */
export function parsePcrBlob(bytes: Uint8Array): {
  readonly selections: readonly TPMS_PCR_SELECTION[]
  readonly values: readonly Uint8Array[]
  readonly leftover: Uint8Array
} {
  const cursor = new Cursor(bytes, 'PCR blob')
  const count = cursor.u32le()
  const slots = Array.from({ length: SELECTION_SLOTS }, () => {
    const hash = cursor.u16le()
    const sizeofSelect = cursor.u8()
    const pcrs = pcrsOfBitmap(cursor.take(5).subarray(0, Math.min(sizeofSelect, 4)))
    return { hash, sizeofSelect, pcrs }
  })
  const values: Uint8Array[] = []
  for (let lists = cursor.u32le(); lists > 0; lists -= 1) values.push(...readDigestList(cursor))
  return { selections: slots.slice(0, count), values, leftover: cursor.rest() }
}
