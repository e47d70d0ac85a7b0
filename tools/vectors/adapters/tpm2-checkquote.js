// An adapter of `assay vectors run` for tpm2_checkquote of tpm2-tools: it evaluates the quote alone.
import { each, file, quoteOf, run } from './parts-of.js'

/** Members that a quote alone does not answer for. */
const OTHERS = ['ima_measurement_list', 'mb_list', 'runtime_policy', 'mb_policy']

await each((body) => {
  const other = OTHERS.find((name) => name in body)
  if (other !== undefined) return { skip: `tpm2_checkquote does not read ${other}` }
  const { nonce, hash_alg, tpm_ak } = body
  const quote = quoteOf(body)
  if (quote === undefined || typeof nonce !== 'string')
    return { error: 'the quote is not three parts, or the nonce is no text' }
  const words = [
    ...['-u', file('ak', Buffer.from(String(tpm_ak), 'base64'))],
    ...['-m', file('message', quote.message), '-s', file('signature', quote.signature)],
    ...['-f', file('pcrs', quote.pcrs), '-g', String(hash_alg)],
    ...['-q', Buffer.from(nonce).toString('hex')],
  ]
  const { status, printed } = run('tpm2_checkquote', words)
  return { valid: status === 0, why: printed.split('\n')[0], unread: ['tpm_policy'] }
})
