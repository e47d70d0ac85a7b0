import { fromBase64 } from '../bytes/base64.ts'

/** A nonce of a request goes into the quote as text, or as the bytes it is the base64 of (as upstream accepts). */
export function acceptableNonces(nonce: string): readonly Uint8Array[] {
  const text = new TextEncoder().encode(nonce)
  try {
    return [text, fromBase64(nonce)]
  } catch {
    return [text]
  }
}
