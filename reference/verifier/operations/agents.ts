import { type Handler, parameter, versionOf } from '../../api/call.ts'
import { present } from '../../api/reply-shape.ts'
import { ApiError, agentNotEnrolled } from '../../errors.ts'
import type { AgentRow } from '../../storage/database.ts'
import { nextOperationalState, type OperationalEvent } from '../operational-state.ts'
import { acceptanceOf } from '../push/acceptance.ts'
import { moveAcceptance } from '../push/move-acceptance.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/** GET …/agents/{agent_id} */
export function readAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const agent = await parts.store.agents.find(agentId)
    if (agent === undefined) throw agentNotEnrolled(agentId)
    const acceptance = acceptanceOf(agent, parts.clock.now())
    const source = { agent, config: parts.config, acceptance }
    return { body: present(parts.replies.agentStatus, source, versionOf(call)) }
  }
}

/** DELETE …/agents/{agent_id}: ends its sessions and forgets its attestations and its private policy. */
export function deleteAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    if (!(await parts.store.agents.remove(agentId))) throw agentNotEnrolled(agentId)
    return {}
  }
}

/** PUT …/agents/{agent_id}/stop: no attestation of it is taken any more, and its verification has failed. */
export function stopAgent(parts: VerifierParts): Handler {
  return moveAgent(parts, 'stopped', () => ({}))
}

/**
 * PUT /v2.5/agents/{agent_id}/reactivate: it may attest again. An administrator has looked at what failed before, so
 * it counts no more; neither do the passes, until there is another.
 */
export function reactivateAgent(parts: VerifierParts): Handler {
  return moveAgent(parts, 'reactivated', (agent) => ({
    failures: 0,
    started_with: agent.attestation_count,
    ...moveAcceptance(parts, 'reactivated', agent),
  }))
}

function moveAgent(
  parts: VerifierParts,
  event: OperationalEvent,
  changeOf: (agent: AgentRow) => Partial<AgentRow>,
): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const known = await parts.store.agents.change(agentId, (agent) => {
      const to = nextOperationalState(parts.operationalMoves, event, agent.operational_state)
      if (to === undefined)
        throw new ApiError('conflict', `An agent in this state is not ${event}.`)
      return { ...changeOf(agent), operational_state: to }
    })
    if (!known) throw agentNotEnrolled(agentId)
    return {}
  }
}
