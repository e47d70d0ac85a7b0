import { deflateSync } from 'node:zlib'
import type { ReplyShape } from '../../api/reply-shape.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { type Algorithms, GENERIC_NAMES } from '../../config/algorithms.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { writeQuoteString } from '../../evidence/quote/quote-string.ts'
import type { Quoted } from '../attester/quote-pcrs.ts'
import { type ImaPart, textOf } from '../logs/ima-log.ts'

/** The source of a quote reply; a missing value is left out of the reply. */
export interface QuoteSource {
  readonly quoted: Quoted
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
  { name: 'ima_measurement_list', of: ({ ima }) => ima && textOf(ima) },
  { name: 'ima_measurement_list_entry', of: ({ ima }) => ima?.entry },
  { name: 'mb_measurement_list', of: ({ boot }) => boot && toBase64(boot) },
]

function quoteText({ quoted, algorithms: { hash } }: QuoteSource, zlib: boolean): string {
  const { message, signature, pcrs } = quoted
  const pcrBlob = writePcrBlob([{ bank: hash, values: pcrs }])
  const pack = (part: Uint8Array) => (zlib ? deflateSync(part) : part)
  return writeQuoteString({
    message: pack(message),
    signature: pack(signature),
    pcrBlob: pack(pcrBlob),
  })
}
