import {
  at,
  isRefusal,
  isSuccess,
  listOf,
  presentReply,
  type Reply,
  results,
} from '../../../conformance/attempt/reply.ts'

/**
 * - `passed`: taken as valid. - `failed`: read, and found not valid. - `refused`: not taken (4xx).
 * - `crashed`: the process ended. - `too large`: it took too much memory. - `busy`: asked to come later. - `cut off`: the connection ended without an answer.
 * - `unreadable`: an answer that says neither yes nor no.
 */
export const ANSWER_KINDS = [
  'passed',
  'failed',
  'refused',
  'server error',
  'no answer',
  'cut off',
  'crashed',
  'too large',
  'busy',
  'unreadable',
] as const

export type AnswerKind = (typeof ANSWER_KINDS)[number]

export interface Answer {
  readonly kind: AnswerKind
  /** One line: the status, and the failures that were named. The same input has to get the same line. */
  readonly line: string
  readonly status?: number
  /** The body as it came. */
  readonly text: string
}

/** What the reply says of the evidence; undefined when it says nothing. */
export type VerdictOf = (reply: Reply) => boolean | undefined

/** `valid` of verify/evidence and verify/identity: a boolean, or 1 and 0. */
export function validOf(reply: Reply): boolean | undefined {
  const valid = results(reply, 'valid')
  if (valid === true || valid === 1) return true
  return valid === false || valid === 0 ? false : undefined
}

/** Whether a registration was answered with a blob. */
export function blobOf(reply: Reply): boolean | undefined {
  return typeof results(reply, 'blob') === 'string' ? true : undefined
}

function failuresOf(reply: Reply): string {
  const types = (listOf(results(reply, 'failures')) ?? []).map((one) => String(at(one, 'type')))
  return types.toSorted().join(', ')
}

function kindOf(reply: Reply, verdictOf: VerdictOf): AnswerKind {
  const { status, failure, headers } = reply
  if (status === undefined) return failure === 'no answer in time' ? 'no answer' : 'cut off'
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) return 'busy'
  if (status >= 500) return 'server error'
  if (isRefusal(reply)) return 'refused'
  const verdict = isSuccess(reply) ? verdictOf(reply) : undefined
  if (verdict === undefined) return 'unreadable'
  return verdict ? 'passed' : 'failed'
}

/** Puts a reply into its class. */
export function answerOf(reply: Reply, verdictOf: VerdictOf): Answer {
  const kind = kindOf(reply, verdictOf)
  const named = failuresOf(reply)
  const line = `${kind}: ${presentReply(reply)}${named === '' ? '' : `, ${named}`}`
  const status = reply.status === undefined ? {} : { status: reply.status }
  return { kind, line, ...status, text: reply.text }
}
