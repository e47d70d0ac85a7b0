import type { AgentRow, RuntimePolicyRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'

/**
 * The runtime policy an agent is judged by; undefined when it was added without one.
 *
 * @throws when the policy it names is gone: an agent that should have one is never judged without
 */
export async function loadRuntimePolicy(
  store: VerifierStore,
  agent: Pick<AgentRow, 'runtime_policy_name'>,
): Promise<RuntimePolicyRow | undefined> {
  if (agent.runtime_policy_name === null) return undefined
  const policy = await store.policies.find(agent.runtime_policy_name)
  if (policy === undefined) throw new Error('the runtime policy of an agent is gone')
  return policy
}
