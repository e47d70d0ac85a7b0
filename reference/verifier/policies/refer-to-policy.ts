import { hash } from 'node:crypto'
import type { AgentRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { PolicyReference } from '../evaluation/task.ts'
import { loadRuntimePolicy } from './load-runtime-policy.ts'

/**
 * The runtime policy an agent is judged by, as far as it takes to know whether it was read before; undefined when
 * the agent was added without one.
 *
 * @throws when the policy it names is gone: an agent that should have one is never judged without
 */
export async function referToPolicy(
  store: VerifierStore,
  agent: Pick<AgentRow, 'runtime_policy_name'>,
): Promise<PolicyReference | undefined> {
  const policy = await loadRuntimePolicy(store, agent)
  if (policy === undefined) return undefined
  const load = () => Promise.resolve(policy.runtime_policy)
  return { digest: hash('sha256', policy.runtime_policy), load }
}
