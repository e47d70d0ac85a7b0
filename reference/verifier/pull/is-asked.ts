import type { VerifierConfig } from '../../config/config.ts'
import type { PolledAgent } from '../../storage/agent-store.ts'
import { isPostgresUrl } from '../../storage/databases/postgres-url.ts'
import { OPERATIONAL_STATES, type OperationalState } from '../operational-state.ts'

const ASKED: readonly OperationalState[] = [
  ...(['start', 'get_quote', 'get_quote_retry', 'provide_v', 'provide_v_retry'] as const),
]

/** Whether this verifier is the one that asks an agent: the one it was added at, where several share a database. */
export function isOurs(
  { mode, verifier_id }: PolledAgent,
  config: Pick<VerifierConfig, 'database' | 'verifier_id'>,
): boolean {
  return mode === 'pull' && (!isPostgresUrl(config.database) || verifier_id === config.verifier_id)
}

/** Whether an agent is in a state in which it is asked; one whose last evidence failed mildly is. */
export function isAsked(
  { operational_state, severity_level }: PolledAgent,
  { severity_labels }: Pick<VerifierConfig, 'severity_labels'>,
): boolean {
  if (operational_state === OPERATIONAL_STATES.invalid_quote)
    return severity_level !== null && severity_level < severity_labels.length - 1
  return ASKED.some((state) => OPERATIONAL_STATES[state] === operational_state)
}
