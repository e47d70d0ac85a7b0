import { checkPolicyName } from '../../api/policy-name.ts'
import { nameGiven, underEitherName } from '../../api/under-either-name.ts'
import type { BootPolicyRow } from '../../storage/databases/database.ts'
import type { AddAgentRequest } from '../shapes/agent-shape.ts'
import { askedReferenceState, readReferenceState } from './parse-reference-state.ts'

/** The boot policy of an add-agent request. */
interface AgentBootPolicy {
  /** Name under which the agent's boot policy is kept; null when it has none. */
  readonly name: string | null
  /** To be stored with the agent; undefined if the name links an existing one. */
  readonly upload: BootPolicyRow | undefined
}

/**
 * Reads which boot policy an agent has, under either name of its text (ambiguity MBNAMES). As with
 * runtime policies, a name alone links a stored policy, a name with content stores it, content alone is stored
 * under the agent's id. Content alone that asks for nothing is no policy.
 */
export function parseBootPolicy(
  agentId: string,
  request: Pick<AddAgentRequest, 'mb_refstate' | 'mb_policy' | 'mb_policy_name'>,
): AgentBootPolicy {
  const text = underEitherName(request, 'mb_refstate', 'mb_policy')
  const member = nameGiven(request, 'mb_refstate', 'mb_policy')
  const named = request.mb_policy_name || undefined
  const name = named === undefined ? undefined : checkPolicyName(named, '/mb_policy_name')
  if (text === undefined || isNull(text)) return { name: name ?? null, upload: undefined }
  if (name !== undefined) return uploadOf({ name, mb_policy: readReferenceState(text, member) })
  const asked = askedReferenceState(text, member)
  return asked === null
    ? { name: null, upload: undefined }
    : uploadOf({ name: agentId, mb_policy: asked })
}

function uploadOf(upload: BootPolicyRow): AgentBootPolicy {
  return { name: upload.name, upload }
}

/** Whether a reference state is the JSON value null, as clients that have none send it with an agent. */
function isNull(text: string): boolean {
  return text.trim() === 'null'
}
