import { checkPolicyName } from '../../api/policy-name.ts'
import type { RuntimePolicyRow } from '../../storage/databases/database.ts'
import type { AddAgentRequest } from '../shapes/agent-shape.ts'
import { checkPolicySignature } from './check-policy-signature.ts'
import { type PolicyUpload, policyUploadOf } from './read-policy-upload.ts'

/** The runtime policy of an add-agent request. */
interface AgentPolicy {
  /** Name under which the agent's policy is kept; null when it has none. */
  readonly name: string | null
  /** To be stored with the agent; undefined if the name links an existing one. */
  readonly upload: RuntimePolicyRow | undefined
}

/** How the policy of a request is read. */
interface PolicyReading {
  /** Whether unsigned policies are refused. */
  readonly signatureRequired: boolean
  /** Gives the text of a policy that can be used, and refuses any other. */
  readonly readPolicyUpload: (upload: PolicyUpload) => Promise<string>
}

/**
 * Reads which runtime policy an agent has (interface document, "Add-agent request"): a name
 * alone links a stored policy, a name with content stores it, content alone is stored under the
 * agent's id, and neither means no runtime policy.
 */
export async function parseAgentPolicy(
  agentId: string,
  request: AddAgentRequest,
  { signatureRequired, readPolicyUpload }: PolicyReading,
): Promise<AgentPolicy> {
  const content = request.runtime_policy || undefined
  const named = request.runtime_policy_name || undefined
  const name = named === undefined ? undefined : checkPolicyName(named, '/runtime_policy_name')
  if (content === undefined) {
    checkPolicySignature(request, signatureRequired)
    return { name: name ?? null, upload: undefined }
  }
  const signed = policyUploadOf({ ...request, runtime_policy: content }, signatureRequired)
  const upload = {
    name: name ?? agentId,
    tpm_policy: null,
    runtime_policy: await readPolicyUpload(signed),
  }
  return { name: upload.name, upload }
}
