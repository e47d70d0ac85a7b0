import { refused } from '../attempt/check.ts'
import { presentReply, type Reply, results } from '../attempt/reply.ts'

/**
 * `valid` of a reply of verify/evidence or verify/identity as a boolean, also where it is 1 or 0: its type by version
 * is a requirement of its own. Any other value is returned unchanged.
 */
export function validityIn(reply: Reply): unknown {
  const valid = results(reply, 'valid')
  return valid === 1 || valid === 0 ? valid === 1 : valid
}

/** What such a reply says: {@link validityIn}, `refused`, or a phrase for a reply that is neither. */
export function answerIn(reply: Reply): unknown {
  if (refused(reply)) return 'refused'
  if (reply.status !== 200) return presentReply(reply)
  return validityIn(reply) ?? 'HTTP 200 without `valid`'
}

/** Arguments of `matches` for what a reply to invalid evidence says. */
export const NOT_VALID = [
  '`valid` false or 0, or a refusal with a 4xx status',
  (answer: unknown) => answer === false || answer === 'refused',
] as const
