import { Cursor, type OnRead } from './cursor.ts'
import type { TPMS_PCR_SELECTION } from './pcr-selection.ts'
import { pcrBitmap, pcrsOfBitmap } from './pcr-selection.ts'
import { cat, filled, u8, u16le, u32le } from './write.ts'

/**
 * The third part of a pull-mode quote, in the format of `tpm2_quote -F serialized`: a little-endian dump of
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
 * Returns the blob for PCR values in the order of their selection: 136 + 532·n bytes, n = one list for eight
 * values. Does not validate: the number of values may differ from the number of selected PCRs.
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

function readDigestSlot(cursor: Cursor): Uint8Array {
  const size = cursor.named('size').u16le()
  return cursor.named('buffer').take(DIGEST_SLOT).subarray(0, size)
}

function readDigestList(cursor: Cursor): Uint8Array[] {
  const count = cursor.named('count').u32le()
  const slots = Array.from({ length: DIGESTS_PER_LIST }, (_, at) =>
    cursor.inside(`digests[${at}]`, readDigestSlot),
  )
  return slots.slice(0, count)
}

function readSelectionSlot(cursor: Cursor): TPMS_PCR_SELECTION {
  const hash = cursor.named('hash').u16le()
  const sizeofSelect = cursor.named('sizeofSelect').u8()
  const bitmap = cursor.named('pcrSelect').take(4)
  cursor.named('padding').take(1)
  return { hash, sizeofSelect, pcrs: pcrsOfBitmap(bitmap.subarray(0, Math.min(sizeofSelect, 4))) }
}

/**
 * Parses selections and values of a blob; counts that exceed their slots are read as full. Reports the position of
 * each field to `onRead`, used slot or not. Throws ShortRead if truncated.
 */
export function parsePcrBlob(
  bytes: Uint8Array,
  onRead?: OnRead,
): {
  readonly selections: readonly TPMS_PCR_SELECTION[]
  readonly values: readonly Uint8Array[]
  readonly leftover: Uint8Array
} {
  const cursor = new Cursor(bytes, 'PCR blob', 0, onRead)
  const count = cursor.named('count').u32le()
  const slots = Array.from({ length: SELECTION_SLOTS }, (_, at) =>
    cursor.inside(`selections[${at}]`, readSelectionSlot),
  )
  const lists = cursor.named('lists').u32le()
  const values: Uint8Array[] = []
  for (let at = 0; at < lists; at += 1) {
    values.push(...cursor.inside(`list[${at}]`, readDigestList))
  }
  return {
    selections: slots.slice(0, count),
    values,
    leftover: cursor.named('leftover').rest(),
  }
}
