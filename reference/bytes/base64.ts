import { WireError } from './wire-error.ts'

/** Padded base64 of some bytes in the standard alphabet (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/**
 * Bytes of a base64 text; one spelling per byte string, so that two texts are equal when their bytes are.
 * Standard alphabet, padding required, no blanks, no bits after the last byte (RFC 4648 sections 3.2 to 3.5).
 *
 * @throws {WireError} naming the first character that breaks the rule
 */
export function fromBase64(text: string, path = 'base64'): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const stray = text.slice(0, digits).search(/[^A-Za-z0-9+/]/)
  if (stray >= 0)
    throw new WireError(path, stray, 'not a character of the standard base64 alphabet')
  if (text.length % 4 !== 0)
    throw new WireError(
      path,
      text.length,
      'base64 text must be padded to a multiple of 4 characters',
    )
  const bytes = Buffer.from(text, 'base64')
  if (padding > 0 && bytes.toString('base64') !== text)
    throw new WireError(path, digits - 1, 'bits after the last byte must be zero')
  return new Uint8Array(bytes)
}
