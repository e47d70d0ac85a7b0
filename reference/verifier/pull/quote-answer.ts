/** `results` of a quote (interface document, "Pull-mode agent resources"); absent members are undefined. */
export interface QuoteAnswer {
  readonly quote: string
  /** Empty when the answer does not say; such an answer is not accepted. */
  readonly hash_alg: string
  readonly enc_alg: string
  readonly sign_alg: string
  readonly pubkey: string | undefined
  readonly ima_measurement_list: string | undefined
  /** 0 when the answer does not say. */
  readonly ima_measurement_list_entry: number
  readonly mb_measurement_list: string | undefined
}

/** An invalid answer; the message names the wrong member. */
export class UnusableAnswer extends Error {}

/**
 * Reads the body of an answer of 200 to `quotes/integrity`; undefined when it has results, and no quote among them.
 *
 * @throws {UnusableAnswer} naming the member that is not of its type
 */
export function readQuoteAnswer(body: unknown): QuoteAnswer | undefined {
  const results = resultsOf(body)
  const text = (name: string): string | undefined => readText(results, name)
  const quote = text('quote')
  if (quote === undefined || quote === '') return undefined
  return {
    quote,
    hash_alg: text('hash_alg') ?? '',
    enc_alg: text('enc_alg') ?? '',
    sign_alg: text('sign_alg') ?? '',
    pubkey: text('pubkey') || undefined,
    ima_measurement_list: text('ima_measurement_list'),
    ima_measurement_list_entry: readLine(results),
    mb_measurement_list: text('mb_measurement_list') || undefined,
  }
}

/** The `results` of an envelope. */
export function resultsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) throw new UnusableAnswer('the answer is not JSON')
  const { results } = (body ?? {}) as { readonly results?: unknown }
  if (typeof results !== 'object' || results === null || Array.isArray(results))
    throw new UnusableAnswer('the answer has no results')
  return results as Readonly<Record<string, unknown>>
}

function readText(results: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = results[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw new UnusableAnswer(`results.${name} is no text`)
}

function readLine(results: Readonly<Record<string, unknown>>): number {
  const value = results['ima_measurement_list_entry'] ?? 0
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new UnusableAnswer('results.ima_measurement_list_entry is no line number')
}
