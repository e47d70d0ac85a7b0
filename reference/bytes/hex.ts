import { WireError } from './wire-error.ts'

/** Lower-case hexadecimal text of some bytes. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/**
 * Bytes of a hexadecimal text in either case, without prefix or blanks.
 * `Buffer.from(text, 'hex')` stops silently at the first bad digit, hence the test before it.
 *
 * @throws {WireError} at the first character that is no digit, or at the end of an odd-length text
 */
export function fromHex(text: string, path = 'hex'): Uint8Array {
  const stray = text.search(/[^0-9a-fA-F]/)
  if (stray >= 0) throw new WireError(path, stray, 'not a hexadecimal digit')
  if (text.length % 2 === 1)
    throw new WireError(path, text.length, 'odd number of hexadecimal digits')
  return new Uint8Array(Buffer.from(text, 'hex'))
}
