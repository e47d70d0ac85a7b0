import { checkPolicySignature, type SignedPolicy } from './check-policy-signature.ts'
import { parseRuntimePolicyUpload } from './parse-policy-upload.ts'

/** An uploaded runtime policy: plain data, so that it can cross to another thread. */
export interface PolicyUpload extends SignedPolicy {
  /** base64 */
  readonly runtime_policy: string
  /** Whether unsigned policies are refused. */
  readonly signatureRequired: boolean
}

/**
 * The text of a policy that can be used, once its signature was checked.
 *
 * @throws {ApiError} of the first member that is wrong
 */
export function readSignedPolicy(upload: PolicyUpload): string {
  checkPolicySignature(upload, upload.signatureRequired)
  return parseRuntimePolicyUpload(upload.runtime_policy)
}

/** The members of a request that hold its policy; the rest stays in its thread. */
export function policyUploadOf(
  request: SignedPolicy & { readonly runtime_policy: string },
  signatureRequired: boolean,
): PolicyUpload {
  const { runtime_policy, runtime_policy_sig = null, runtime_policy_key = null } = request
  return { runtime_policy, runtime_policy_sig, runtime_policy_key, signatureRequired }
}
