import { ApiError, policyNotFound } from '../../errors.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { AddAgentRequest } from '../agent-shape.ts'
import { parseRuntimePolicyUpload } from './parse-policy-upload.ts'

/**
 * The name under which the agent's runtime policy is kept (interface document, "Add-agent request"):
 * a name alone links a stored policy, a name with content stores it, content alone is stored under
 * the agent's id, and neither means no runtime policy.
 */
export async function resolveRuntimePolicy(
  store: VerifierStore,
  agentId: string,
  request: Pick<AddAgentRequest, 'runtime_policy' | 'runtime_policy_name'>,
): Promise<string | null> {
  const content = request.runtime_policy || undefined
  const name = request.runtime_policy_name || undefined
  if (content === undefined) return name === undefined ? null : linkPolicy(store, name)
  const runtime_policy = parseRuntimePolicyUpload(content)
  const row = { name: name ?? agentId, tpm_policy: null, runtime_policy }
  if (!(await store.policies.add(row))) throw policyExists(row.name)
  return row.name
}

async function linkPolicy(store: VerifierStore, name: string): Promise<string> {
  if ((await store.policies.find(name)) === undefined) throw policyNotFound(name)
  return name
}

export function policyExists(name: string): ApiError {
  return new ApiError('conflict', `Runtime policy with name ${name} already exists`)
}
