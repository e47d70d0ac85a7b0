import { toHex } from '../../../bytes/hex.ts'
import type { Reader } from '../../../bytes/reader.ts'

/** Bytes of a GUID in the order its text has them: the first three groups are little-endian in memory. */
const TEXT_ORDER: readonly number[] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

function grouped(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** An EFI_GUID as its text in lower case (UEFI appendix A). */
export function readGuid(reader: Reader): string {
  const bytes = reader.take(16)
  return grouped(toHex(Uint8Array.from(TEXT_ORDER, (at) => bytes[at] ?? 0)))
}

/** The text that the same bytes have for a reader that does not swap the first three groups. */
export function swappedGuid(text: string): string {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex')
  return grouped(toHex(Uint8Array.from(TEXT_ORDER, (at) => bytes[at] ?? 0)))
}
