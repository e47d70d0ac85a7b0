import { ApiError } from '../../../errors.ts'
import type { AgentRow } from '../../../storage/databases/database.ts'
import { OPERATIONAL_STATES } from '../../operational-state.ts'

/**
 * Not after an administrator stopped it: until it is started again its verification fails. Nor when it is asked for its
 * quotes: pushed evidence uses the same record differently.
 */
export function mayAttest(agent: Pick<AgentRow, 'mode' | 'operational_state'>): boolean {
  return agent.mode !== 'pull' && agent.operational_state !== OPERATIONAL_STATES.tenant_failed
}

/** The refusal of one that may not (interface document, "Errors": attestations are rejected with 403). */
export function attestationsDisabled(agentId: string): ApiError {
  return new ApiError(
    'agent_attestations_disabled',
    `No attestations are taken of agent '${agentId}': an administrator has to reactivate it.`,
  )
}
