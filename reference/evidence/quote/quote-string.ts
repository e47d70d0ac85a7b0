import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { inflate } from '../inflate.ts'

/** The three byte strings of a pull quote: TPMS_ATTEST, TPMT_SIGNATURE, PCR blob. */
export interface QuoteParts {
  readonly message: Uint8Array
  readonly signature: Uint8Array
  readonly pcrBlob: Uint8Array
}

const FIELDS = ['message', 'signature', 'pcrs'] as const

/** The form of a part inside its base64: the bytes, or a zlib stream of them (API 1.0, dropped in 2.0). */
export type PartForm = 'plain' | 'zlib'

const UNPACK: Readonly<Record<PartForm, (bytes: Uint8Array, path: string) => Uint8Array>> = {
  plain: (bytes) => bytes,
  zlib: inflate,
}

/**
 * Splits `r<base64>:<base64>:<base64>` (the `quote` of a pull answer and of verify/evidence).
 *
 * @param form `zlib` for agents of API 1.0 only; no other agent may cause decompression
 * @throws {WireError} `quote…` when the letter, the number of parts, a part's base64 or its zlib stream is wrong
 */
export function parseQuoteString(text: string, form: PartForm = 'plain'): QuoteParts {
  if (!text.startsWith('r')) throw new WireError('quote', 0, "expected the letter 'r'")
  const parts = text.slice(1).split(':', 4)
  if (parts.length !== 3)
    throw new WireError(
      'quote',
      text.length,
      `expected 3 parts between colons, got ${parts.length === 4 ? 'more' : parts.length}`,
    )
  const [message, signature, pcrBlob] = parts.map((part, index) => {
    const path = `quote.${FIELDS[index]}`
    if (part === '') throw new WireError(path, 0, 'is empty')
    return UNPACK[form](fromBase64(part, path), path)
  })
  if (!message || !signature || !pcrBlob) throw new WireError('quote', 0, 'a part is missing')
  return { message, signature, pcrBlob }
}

/** Writes `r<base64>:<base64>:<base64>`, the inverse of {@link parseQuoteString}. */
export function writeQuoteString(parts: QuoteParts): string {
  return `r${[parts.message, parts.signature, parts.pcrBlob].map(toBase64).join(':')}`
}
