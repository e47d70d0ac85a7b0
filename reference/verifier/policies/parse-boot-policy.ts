import { underEitherName } from '../../api/under-either-name.ts'
import { ApiError } from '../../errors.ts'
import type { AddAgentRequest } from '../agent-shape.ts'
import { parseReferenceState } from './parse-reference-state.ts'

/**
 * The boot policy that an agent is added with, under either of its names (ambiguity MBNAMES). A name
 * without content asks for a stored policy: where none is kept, adding the agent without one would
 * judge it by less than was asked for.
 */
export function parseBootPolicy(
  request: Pick<AddAgentRequest, 'mb_refstate' | 'mb_policy' | 'mb_policy_name'>,
): string | null {
  const text = underEitherName(request, 'mb_refstate', 'mb_policy')
  if (text === undefined && request.mb_policy_name) {
    throw new ApiError('not_found', `Measured boot policy ${request.mb_policy_name} not found`)
  }
  return parseReferenceState(text)
}
