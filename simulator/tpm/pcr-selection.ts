import type { Cursor } from './cursor.ts'
import { type Bank, bankOf, HASHES } from './hash.ts'
import { cat, u8, u16, u32 } from './write.ts'

/** TPMS_PCR_SELECTION (Part 2, 10.6.2), with its bitmap as ascending PCR numbers. */
export interface TPMS_PCR_SELECTION {
  /** TPM_ALG_ID of the bank. */
  readonly hash: number
  /** Bytes of bitmap on the wire: 3 on every PC. */
  readonly sizeofSelect: number
  readonly pcrs: readonly number[]
}

/** Returns the selection of `pcrs` in one bank, as a PC writes it. */
export function selectPcrs(bank: Bank, pcrs: readonly number[]): TPMS_PCR_SELECTION {
  return { hash: HASHES[bank].alg, sizeofSelect: 3, pcrs }
}

/**
 * Returns the bitmap of PCR numbers: PCR 0 is the lowest bit of the first byte. Numbers beyond `size` bytes are
 * dropped.
 */
export function pcrBitmap(pcrs: readonly number[], size: number): Uint8Array {
  const bitmap = new Uint8Array(size)
  for (const pcr of pcrs) {
    const byte = pcr >> 3
    if (byte < size) bitmap[byte] = (bitmap[byte] ?? 0) | (1 << (pcr & 7))
  }
  return bitmap
}

/** PCR numbers of a bitmap, ascending. */
export function pcrsOfBitmap(bitmap: Uint8Array): number[] {
  const pcrs: number[] = []
  for (let pcr = 0; pcr < bitmap.length * 8; pcr += 1) {
    if ((bitmap[pcr >> 3] ?? 0) & (1 << (pcr & 7))) pcrs.push(pcr)
  }
  return pcrs
}

/** TPML_PCR_SELECTION (Part 2, 10.9.7). */
export function writePcrSelections(selections: readonly TPMS_PCR_SELECTION[]): Uint8Array {
  return cat(
    u32(selections.length),
    ...selections.map((one) =>
      cat(u16(one.hash), u8(one.sizeofSelect), pcrBitmap(one.pcrs, one.sizeofSelect)),
    ),
  )
}

function readSelection(cursor: Cursor): TPMS_PCR_SELECTION {
  const hash = cursor.named('hash').u16()
  const sizeofSelect = cursor.named('sizeofSelect').u8()
  return { hash, sizeofSelect, pcrs: pcrsOfBitmap(cursor.named('pcrSelect').take(sizeofSelect)) }
}

/** Reads a TPML_PCR_SELECTION. Throws ShortRead if the count exceeds the remaining bytes. */
export function readPcrSelections(cursor: Cursor): TPMS_PCR_SELECTION[] {
  const selections: TPMS_PCR_SELECTION[] = []
  const count = cursor.named('count').u32()
  while (selections.length < count) {
    selections.push(cursor.inside(`[${selections.length}]`, readSelection))
  }
  return selections
}

/** Prints PCR numbers with ranges: `0-9,14`; `none` for an empty list. */
export function presentPcrs(pcrs: readonly number[]): string {
  const runs: [number, number][] = []
  for (const pcr of pcrs) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === pcr - 1) last[1] = pcr
    else runs.push([pcr, pcr])
  }
  const shown = runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
  return shown.join(',') || 'none'
}

/** Prints a selection: `sha256: 0-9,14`, banks separated by `; `. */
export function presentPcrSelections(selections: readonly TPMS_PCR_SELECTION[]): string {
  return selections
    .map((one) => `${bankOf(one.hash) ?? `0x${one.hash.toString(16)}`}: ${presentPcrs(one.pcrs)}`)
    .join('; ')
}
