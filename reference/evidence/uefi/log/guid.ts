import { toHex } from '../../../bytes/hex.ts'
import type { Reader } from '../../../bytes/reader.ts'

/** The text of the 16 bytes with these 32 digits: the first three groups are little-endian in memory. */
function textOf(digits: string): string {
  const first = digits.slice(6, 8) + digits.slice(4, 6) + digits.slice(2, 4) + digits.slice(0, 2)
  const second = digits.slice(10, 12) + digits.slice(8, 10)
  const third = digits.slice(14, 16) + digits.slice(12, 14)
  return `${first}-${second}-${third}-${digits.slice(16, 20)}-${digits.slice(20)}`
}

/** An EFI_GUID as its text in lower case (UEFI appendix A). */
export function readGuid(reader: Reader): string {
  return textOf(toHex(reader.take(16)))
}

/** The text that the same bytes have for a reader that does not swap the first three groups. */
export function swappedGuid(text: string): string {
  return textOf(text.replaceAll('-', ''))
}
