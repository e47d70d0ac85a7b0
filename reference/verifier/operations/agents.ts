import { type Call, type Handler, parameter, versionOf } from '../../api/call.ts'
import { present } from '../../api/reply-shape.ts'
import { ApiError, agentNotEnrolled } from '../../errors.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { type Moving, moving } from '../operational-effects.ts'
import type { OperationalEvent } from '../operational-state.ts'
import { acceptanceOf } from '../push/attestation/acceptance.ts'
import { moveAcceptance } from '../push/attestation/move-acceptance.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/** GET …/agents/{agent_id} */
export function readAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const agent = await parts.store.agents.find(agentId)
    if (agent === undefined) throw agentNotEnrolled(agentId)
    return { body: presentAgent(parts, agent, call) }
  }
}

/** The status record of an agent, as the version of the call has it. */
export function presentAgent(parts: VerifierParts, agent: AgentRow, call: Call) {
  const acceptance = acceptanceOf(agent, parts.listening.now())
  const source = { agent, config: parts.config, acceptance }
  return present(parts.replies.agentStatus, source, versionOf(call))
}

/**
 * DELETE …/agents/{agent_id}: ends its sessions and forgets its attestations and its private policy. Once that is
 * answered nothing of it is under way. While it waits for that, another may delete the agent too and add it again: what
 * was added then stays.
 */
export function deleteAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const moves = parts.operationalMoves
    let enrolment: string | undefined
    await parts.store.agents.change(agentId, (agent) => {
      enrolment = agent.enrolment
      return moving(moves, 'deleted', agent)?.change
    })
    await parts.poller.end(agentId)
    const isRemoved =
      enrolment !== undefined && (await parts.store.agents.remove(agentId, enrolment))
    if (!isRemoved) throw agentNotEnrolled(agentId)
    return {}
  }
}

/** PUT …/agents/{agent_id}/stop: no attestation of it is accepted any more, and its verification has failed. */
export function stopAgent(parts: VerifierParts): Handler {
  return moveAgent(parts, 'stopped', () => ({}))
}

/** PUT /v2.5/agents/{agent_id}/reactivate: it may attest again, or is asked again. */
export function reactivateAgent(parts: VerifierParts): Handler {
  return moveAgent(parts, 'reactivated', (agent) => ({
    ...moveAcceptance(parts, 'reactivated', agent),
    regcount_silent: null,
  }))
}

function moveAgent(
  parts: VerifierParts,
  event: OperationalEvent,
  changeOf: (agent: AgentRow) => Partial<AgentRow>,
): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    let moved: Moving | undefined
    const known = await parts.store.agents.change(agentId, (agent) => {
      moved = moving(parts.operationalMoves, event, agent)
      if (moved === undefined)
        throw new ApiError('conflict', `An agent in this state is not ${event}.`)
      return { ...changeOf(agent), ...moved.change }
    })
    if (!known) throw agentNotEnrolled(agentId)
    if (moved?.move.effects.includes('end_polling')) await parts.poller.end(agentId)
    if (moved?.move.effects.includes('poll_now')) parts.poller.wake(agentId)
    return {}
  }
}
