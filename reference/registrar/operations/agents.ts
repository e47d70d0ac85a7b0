import { type Handler, parameter, versionOf } from '../../api/call.ts'
import { present } from '../../api/reply-shape.ts'
import { ApiError, agentNotRegistered } from '../../errors.ts'
import type { RegistrarParts } from '../registrar-parts.ts'

/** GET …/agents */
export function listAgents(parts: RegistrarParts): Handler {
  return async () => ({ body: { uuids: await parts.store.list() } })
}

/** GET …/agents/{agent_id}; a registered agent that was never activated is not shown (ambiguity UNACTIVATED). */
export function readAgent(parts: RegistrarParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const row = await parts.store.find(agentId)
    if (row === undefined) throw agentNotRegistered(agentId)
    if (row.active === 0) {
      throw new ApiError('not_found', `Agent with ID '${agentId}' has not been activated`)
    }
    return { body: present(parts.registration, row, versionOf(call)) }
  }
}

/** DELETE …/agents/{agent_id} */
export function deleteAgent(parts: RegistrarParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    if (!(await parts.store.remove(agentId))) throw agentNotRegistered(agentId)
    return {}
  }
}
