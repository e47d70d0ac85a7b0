import type { AgentRow } from '../../storage/databases/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import { asksForNothing } from './parse-reference-state.ts'

/**
 * The reference state that the boot of an agent is compared with; null if it was added without one, or if its
 * policy asks for nothing.
 *
 * @throws if the named policy is gone: an agent with a policy is never evaluated without it
 */
export async function loadBootPolicy(
  store: VerifierStore,
  agent: Pick<AgentRow, 'mb_policy_name'>,
): Promise<string | null> {
  if (agent.mb_policy_name === null) return null
  const policy = await store.bootPolicies.find(agent.mb_policy_name)
  if (policy === undefined) throw new Error('the boot policy of an agent is gone')
  return asksForNothing(policy.mb_policy) ? null : policy.mb_policy
}
