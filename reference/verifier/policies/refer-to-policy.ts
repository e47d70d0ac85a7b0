import type { AgentRow } from '../../storage/databases/database.ts'
import { digestOf } from '../../storage/policy-store.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { PolicyReference } from '../evaluation/task.ts'

/**
 * A reference to an agent's runtime policy, enough to find it in a cache; undefined when
 * the agent was added without one.
 *
 * @throws if the named policy is gone: an agent with a policy is never evaluated without it
 */
export async function referToPolicy(
  store: VerifierStore,
  { runtime_policy_name: name }: Pick<AgentRow, 'runtime_policy_name'>,
): Promise<PolicyReference | undefined> {
  if (name === null) return undefined
  const { policies } = store
  const load = async () => {
    const { runtime_policy: text } = present(await policies.find(name))
    return { digest: digestOf(text), text }
  }
  return { digest: present(await policies.digest(name)), load }
}

function present<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the runtime policy of an agent is gone')
  return found
}
