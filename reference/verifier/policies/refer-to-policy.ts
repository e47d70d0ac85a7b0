import { bothTpmPolicies } from '../../evidence/quote/tpm-policy.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { digestOf } from '../../storage/policy-store.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { PolicyReference } from '../evaluation/task.ts'

interface StoredPolicyReference extends PolicyReference {
  /** The PCR policy that is stored under the same name; null for none */
  readonly tpm_policy: string | null
}

/**
 * A reference to an agent's runtime policy, enough to find it in a cache; undefined when
 * the agent was added without one.
 *
 * @throws if the named policy is gone: an agent with a policy is never evaluated without it
 */
export async function referToPolicy(
  store: VerifierStore,
  { runtime_policy_name: name }: Pick<AgentRow, 'runtime_policy_name'>,
): Promise<StoredPolicyReference | undefined> {
  if (name === null) return undefined
  const { policies } = store
  const load = async () => {
    const { runtime_policy: text } = present(await policies.find(name))
    return { digest: digestOf(text), text }
  }
  return { ...present(await policies.brief(name)), load }
}

/** An agent whose PCRs have to satisfy its own policy, and the one that is stored with its runtime policy. */
export function withStoredPcrs<Agent extends Pick<AgentRow, 'tpm_policy'>>(
  agent: Agent,
  policy: Pick<StoredPolicyReference, 'tpm_policy'> | undefined,
): Agent {
  if (!policy?.tpm_policy) return agent
  return { ...agent, tpm_policy: bothTpmPolicies(agent.tpm_policy, policy.tpm_policy) }
}

function present<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the runtime policy of an agent is gone')
  return found
}
