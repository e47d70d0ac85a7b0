import { type Reply, results } from '../attempt/reply.ts'

/**
 * `valid` of a reply of verify/evidence as a boolean, also where it is 1 or 0: its type by version is a requirement of
 * its own. Any other value is returned unchanged.
 */
export function validityIn(reply: Reply): unknown {
  const valid = results(reply, 'valid')
  return valid === 1 || valid === 0 ? valid === 1 : valid
}
