import type { Colours } from '../../conformance/report/present-table.ts'
import { visibleLine } from '../../conformance/report/visible.ts'
import { bankOf } from '../../simulator/tpm/hash.ts'
import { toHex } from '../../simulator/tpm/write.ts'

/** Big-endian number of up to eight bytes. */
export function number(raw: Uint8Array): bigint {
  return raw.reduce((total, byte) => total * 256n + BigInt(byte), 0n)
}

/** Little-endian number, for dumps of C structures. */
export function numberLe(raw: Uint8Array): bigint {
  return number(raw.toReversed())
}

const ALGORITHMS: ReadonlyMap<number, string> = new Map([
  [0x0005, 'HMAC'],
  [0x0010, 'null'],
  [0x0012, 'sm3_256'],
  [0x0014, 'RSASSA (RSA, PKCS#1 v1.5)'],
  [0x0016, 'RSAPSS (RSA, salted)'],
  [0x0018, 'ECDSA (elliptic curve)'],
  [0x001a, 'ECDAA'],
  [0x001b, 'SM2'],
  [0x001c, 'ECSCHNORR'],
  [0x0027, 'sha3_256'],
  [0x0028, 'sha3_384'],
  [0x0029, 'sha3_512'],
])

/** Name of a TPM_ALG_ID: `sha256`; an unknown one keeps its number. */
export function algorithm(id: number): string {
  return bankOf(id) ?? ALGORITHMS.get(id) ?? `unknown (0x${id.toString(16).padStart(4, '0')})`
}

/** Bytes as quoted text if they are printable ASCII, otherwise in hexadecimal. */
export function textOrHex(raw: Uint8Array): string {
  if (raw.length === 0) return 'empty'
  const printable = raw.every((byte) => byte >= 0x20 && byte < 0x7f)
  return printable ? JSON.stringify(new TextDecoder().decode(raw)) : toHex(raw)
}

/** First and last bytes of a long hexadecimal text. */
export function shortHex(hex: string, digits: number): string {
  if (hex.length <= digits) return hex
  const tail = digits >= 16 ? 4 : 0
  return `${hex.slice(0, digits - 1 - tail)}…${tail === 0 ? '' : hex.slice(-tail)}`
}

/** A text from a file on one line, with control characters escaped. */
export function safe(text: string): string {
  return visibleLine(text)
}

/** Bytes of a name as text, and whether they were UTF-8. */
export function nameText(bytes: Uint8Array): { readonly text: string; readonly utf8: boolean } {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      utf8: true,
    }
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), utf8: false }
  }
}

/** A duration in a readable unit, up to days. */
export function powered(ms: bigint): string {
  const seconds = ms / 1000n
  if (seconds < 60n) return `${seconds}.${String((ms % 1000n) / 100n)} s`
  if (seconds < 3600n) return `${seconds / 60n} min ${seconds % 60n} s`
  if (seconds < 172_800n) return `${seconds / 3600n} h ${(seconds / 60n) % 60n} min`
  return `${seconds / 86_400n} days`
}

/** `1 byte`, `2 bytes`. */
export function bytes(count: number | bigint): string {
  return `${count} ${BigInt(count) === 1n ? 'byte' : 'bytes'}`
}

/** A text from a file, quoted, on one line, shortened to 60 characters. */
export function pathWords(text: string): string {
  const shown = safe(JSON.stringify(text))
  return shown.length <= 60 ? shown : `${shown.slice(0, 59)}…`
}

/** Colours and width of text output. */
export interface Look {
  readonly colours: Colours
  /** Columns of the terminal. */
  readonly width: number
}
