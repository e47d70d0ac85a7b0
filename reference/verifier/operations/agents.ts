import { type Handler, parameter } from '../../api/call.ts'
import { agentNotEnrolled } from '../../errors.ts'
import { presentAgent } from '../present-agent.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/** GET /v2.5/agents/{agent_id} */
export function readAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const agent = await parts.store.agents.find(agentId)
    if (agent === undefined) throw agentNotEnrolled(agentId)
    return { body: presentAgent(agent, parts.config) }
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
