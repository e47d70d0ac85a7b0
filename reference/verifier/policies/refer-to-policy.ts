import type { AgentRow } from '../../storage/databases/database.ts'
import { digestOf } from '../../storage/policy-store.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { PolicyReference } from '../evaluation/task.ts'

/**
 * The runtime policy an agent is judged by, as far as it takes to know whether it was read before; undefined when
 * the agent was added without one.
 *
 * @throws when the policy it names is gone: an agent that should have one is never judged without
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
