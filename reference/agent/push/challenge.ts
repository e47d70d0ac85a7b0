import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'

/** The decoded challenge; undefined for text that is empty or not base64. */
export function challengeOf(text: string): Uint8Array | undefined {
  try {
    const bytes = fromBase64(text)
    return bytes.length === 0 ? undefined : bytes
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return undefined
  }
}
