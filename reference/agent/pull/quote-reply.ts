import { deflateSync } from 'node:zlib'
import type { ReplyShape } from '../../api/reply-shape.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { type Algorithms, GENERIC_NAMES } from '../../config/algorithms.ts'
import { ApiError } from '../../errors.ts'
import { writeDeepQuoteString } from '../../evidence/deep-quote/deep-quote-string.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { type QuoteParts, writeQuoteString } from '../../evidence/quote/quote-string.ts'
import type { Quoted } from '../attester/quote-pcrs.ts'
import { type ImaPart, textOf } from '../logs/ima-log.ts'

/** The source of a quote reply; a missing value is left out of the reply. */
export interface QuoteSource {
  readonly quoted: Quoted
  /** The quote of the host, over `quoted`; together they are a deep quote. */
  readonly host?: Quoted
  readonly algorithms: Algorithms
  /** Whether an agent of API 1.0 compresses the parts of its quote. */
  readonly zlib: boolean
  /** Seconds since the boot. */
  readonly boottime: number
  /** PEM */
  readonly pubkey?: string
  readonly ima?: ImaPart
  readonly boot?: Uint8Array
}

/**
 * Quote record (interface document, "Pull-mode agent resources"). Absent means left out, not null (ambiguities PARTIAL
 * and NOIMA); `boottime` counts from the boot on (BOOTTIME).
 */
export const QUOTE_REPLY: ReplyShape<QuoteSource> = [
  { name: 'quote', until: '1.0', of: (source) => quoteText(source, source.zlib) },
  { name: 'quote', since: '2.0', of: (source) => quoteText(source, false) },
  { name: 'hash_alg', of: ({ algorithms }) => algorithms.hash },
  { name: 'enc_alg', until: '2.4', of: ({ algorithms }) => GENERIC_NAMES[algorithms.key] },
  { name: 'enc_alg', since: '2.5', of: ({ algorithms }) => algorithms.key },
  { name: 'sign_alg', of: ({ algorithms }) => algorithms.signing },
  { name: 'pubkey', of: ({ pubkey }) => pubkey },
  { name: 'boottime', of: ({ boottime }) => boottime },
  { name: 'ima_measurement_list', of: ({ ima }) => ima && listText(ima) },
  { name: 'ima_measurement_list_entry', of: ({ ima }) => ima?.entry },
  { name: 'mb_measurement_list', of: ({ boot }) => boot && toBase64(boot) },
]

/** @throws {ApiError} `quote_unobtainable`: a name of a file is not UTF-8, or the list is a binary one */
function listText(ima: ImaPart): string {
  try {
    return textOf(ima)
  } catch (cause) {
    const why = 'the measurement list is not in UTF-8, and JSON carries no other text'
    throw new ApiError('quote_unobtainable', `There is no quote: ${why}.`, { cause })
  }
}

/** The text of an ordinary quote, or of a deep one. */
export function quoteText(
  { quoted, host, algorithms }: Pick<QuoteSource, 'quoted' | 'host' | 'algorithms'>,
  zlib: boolean,
): string {
  const own = partsOf(quoted, algorithms, zlib)
  if (host === undefined) return writeQuoteString(own)
  return writeDeepQuoteString({ guest: own, host: partsOf(host, algorithms, zlib) })
}

function partsOf(
  { message, signature, pcrs }: Quoted,
  { hash }: Algorithms,
  zlib: boolean,
): QuoteParts {
  const pcrBlob = writePcrBlob([{ bank: hash, values: pcrs }])
  const pack = (part: Uint8Array) => (zlib ? deflateSync(part) : part)
  return {
    message: pack(message),
    signature: pack(signature),
    pcrBlob: pack(pcrBlob),
  }
}
