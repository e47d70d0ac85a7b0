import type { RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parseVerificationKeys } from '../../evidence/ima/policy/verification-keys.ts'

/** Keyrings that are kept for one policy; its agents mostly have the same. */
const KEPT = 16

/** Caches of list entries belong to the policy object, so the same two inputs return the same object. */
const known = new WeakMap<RuntimePolicy, Map<string, RuntimePolicy>>()

/**
 * A policy with the keyring of an agent, which replaces that of the policy unless it is empty (interface
 * document, `ima_sign_verification_keys`). The list of an agent without a policy is not evaluated, even if its files are signed.
 *
 * @throws {PolicyError} when the keyring cannot be read
 */
export function withAgentKeys(policy: RuntimePolicy, agentKeys: string): RuntimePolicy {
  if (agentKeys === '') return policy
  const keyed = known.get(policy) ?? new Map<string, RuntimePolicy>()
  known.set(policy, keyed)
  const verificationKeys = () => parseVerificationKeys(agentKeys, 'ima_sign_verification_keys')
  const found = keyed.get(agentKeys) ?? { ...policy, verificationKeys: verificationKeys() }
  keyed.delete(agentKeys)
  keyed.set(agentKeys, found)
  const [oldest] = keyed.keys()
  if (keyed.size > KEPT && oldest !== undefined) keyed.delete(oldest)
  return found
}
