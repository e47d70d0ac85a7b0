import { type Handler, parameter, versionOf } from '../../api/call.ts'
import { present } from '../../api/reply-shape.ts'
import { agentNotEnrolled } from '../../errors.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/** GET /v2.5/agents/{agent_id} */
export function readAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const agent = await parts.store.agents.find(agentId)
    if (agent === undefined) throw agentNotEnrolled(agentId)
    const source = { agent, config: parts.config }
    return { body: present(parts.replies.agentStatus, source, versionOf(call)) }
  }
}

/** DELETE /v2.5/agents/{agent_id}: ends its sessions and forgets its attestations and its private policy. */
export function deleteAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    if (!(await parts.store.agents.remove(agentId))) throw agentNotEnrolled(agentId)
    return {}
  }
}
