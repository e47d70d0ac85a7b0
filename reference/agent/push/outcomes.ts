import { StartFault } from '../../errors.ts'
import { type JsonReply, NoAnswer, type NoAnswerKind } from '../../http-client/json-client.ts'
import type { Failed } from './events.ts'
import { parseRetryAfter } from './pauses.ts'
import type { PushFailure } from './states.ts'

/** The meaning of an HTTP status other than that of success. */
export interface StatusRow {
  readonly from: number
  readonly to: number
  readonly means: PushFailure
}

const only = (status: number, means: PushFailure): StatusRow => ({
  from: status,
  to: status,
  means,
})

export const STATUS_ROWS: readonly StatusRow[] = [
  { from: 300, to: 399, means: 'redirected' },
  only(401, 'unauthorized'),
  only(403, 'forbidden'),
  only(404, 'not_found'),
  only(409, 'conflict'),
  only(410, 'gone'),
  only(422, 'unprocessable'),
  only(429, 'too_many'),
  { from: 500, to: 599, means: 'server_error' },
]

/** The failure for each kind of missing answer. */
const NO_ANSWER_ROWS: Readonly<Record<NoAnswerKind, PushFailure>> = {
  closed: 'unreachable',
  late: 'timed_out',
  'too-large': 'unreadable',
  untrusted: 'untrusted',
  unreachable: 'unreachable',
  reset: 'reset',
  stale: 'reset',
}

/** The failure for an answer with another status than that of success. */
export function failureOf(
  rows: readonly StatusRow[],
  who: string,
  { status, headers }: Pick<JsonReply, 'status' | 'headers'>,
  now: number,
): Failed {
  const means = rows.find(({ from, to }) => from <= status && status <= to)?.means ?? 'refused'
  const retryAfter = parseRetryAfter(headers, now)
  return { kind: means, why: `the ${who} answered with HTTP ${status}`, retryAfter }
}

/** The failure for a missing answer; rethrows any other error. */
export function failureWithout(who: string, error: unknown): Failed {
  if (!(error instanceof NoAnswer)) throw error
  return { kind: NO_ANSWER_ROWS[error.kind], why: `no answer of the ${who}: ${error.message}` }
}

/** The message of an error, as a clause for the log; with the next step of a StartFault. */
export function whyOf(error: unknown): string {
  if (!(error instanceof StartFault)) return error instanceof Error ? error.message : String(error)
  return error.next === undefined ? error.sentence : `${error.sentence}; ${error.next}`
}

export function unreadable(who: string, what: string): Failed {
  return { kind: 'unreadable', why: `the reply of the ${who} cannot be read: ${what}` }
}
