import type { VerifierConfig } from '../../../config/config.ts'
import { ApiError } from '../../../errors.ts'
import type { AgentRow } from '../../../storage/databases/database.ts'
import { OPERATIONAL_MOVES, OPERATIONAL_STATES, operationalMove } from '../../operational-state.ts'

/**
 * Not after an administrator stopped it: until it is started again its verification fails. An agent that is asked for
 * quotes may come by itself too, unless its evidence failed: then an administrator has to look first.
 */
export function mayAttest(agent: Pick<AgentRow, 'mode' | 'operational_state'>): boolean {
  if (agent.mode === 'pull')
    return operationalMove(OPERATIONAL_MOVES, 'pushed', agent) !== undefined
  return agent.operational_state !== OPERATIONAL_STATES.tenant_failed
}

/** The refusal of one that may not (interface document, "Errors": attestations are rejected with 403). */
export function attestationsDisabled(agentId: string): ApiError {
  return new ApiError(
    'agent_attestations_disabled',
    `No attestations are taken of agent '${agentId}': an administrator has to reactivate it.`,
  )
}

/** @throws {ApiError} with `mode = pull`, of an agent that is asked: evidence is taken of no other */
export function checkPushServed(
  { mode }: Pick<VerifierConfig, 'mode'>,
  agent: Pick<AgentRow, 'agent_id' | 'mode'>,
): void {
  if (mode !== 'pull' || agent.mode !== 'pull') return
  throw new ApiError(
    'agent_attestations_disabled',
    `No attestations are taken of agent '${agent.agent_id}': this verifier asks its agents for quotes (mode=pull).`,
  )
}
