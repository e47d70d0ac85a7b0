import { WireError } from '../../bytes/wire-error.ts'
import {
  type PartForm,
  parseQuoteString,
  type QuoteParts,
  writeQuoteString,
} from '../quote/quote-string.ts'

/** The two quotes of a deep quote: of the virtual TPM, and of the TPM of the host below it. */
export interface DeepQuote {
  readonly guest: QuoteParts
  readonly host: QuoteParts
}

const PARTS = 6

/**
 * Splits `d<base64>:…:<base64>` (docs/deep-quotes.md): the three parts of a quote of the virtual TPM, and the same three of
 * its host's.
 *
 * @param form `zlib` for API 1.0 only, as in an ordinary quote
 * @throws {WireError} `guest…`, `host…` or `quote` when a part, or the number of parts, is wrong
 */
export function parseDeepQuoteString(text: string, form: PartForm = 'plain'): DeepQuote {
  if (!text.startsWith('d')) throw new WireError('quote', 0, "expected the letter 'd'")
  const parts = text.slice(1).split(':', PARTS + 1)
  if (parts.length !== PARTS)
    throw new WireError(
      'quote',
      text.length,
      `expected ${PARTS} parts between colons, got ${parts.length > PARTS ? 'more' : parts.length}`,
    )
  return {
    guest: partsOf('guest', parts.slice(0, 3), form),
    host: partsOf('host', parts.slice(3), form),
  }
}

/** Writes `d<base64>:…:<base64>`, the inverse of {@link parseDeepQuoteString}. */
export function writeDeepQuoteString({ guest, host }: DeepQuote): string {
  return `d${[guest, host].map((parts) => writeQuoteString(parts).slice(1)).join(':')}`
}

function partsOf(whose: keyof DeepQuote, parts: readonly string[], form: PartForm): QuoteParts {
  try {
    return parseQuoteString(`r${parts.join(':')}`, form)
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    throw new WireError(cause.path.replace('quote', whose), cause.offset, cause.problem)
  }
}
