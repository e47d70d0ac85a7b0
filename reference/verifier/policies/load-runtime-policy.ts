import type { AgentRow, RuntimePolicyRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'

/** The runtime policy an agent is judged by; undefined when it was added without one. */
export async function loadRuntimePolicy(
  store: VerifierStore,
  agent: Pick<AgentRow, 'runtime_policy_name'>,
): Promise<RuntimePolicyRow | undefined> {
  if (agent.runtime_policy_name === null) return undefined
  return store.policies.find(agent.runtime_policy_name)
}
