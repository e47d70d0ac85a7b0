import { bodyParser } from '../../../api/bodies/parse-body.ts'
import { toBase64 } from '../../../bytes/base64.ts'
import { policyExists, policyNotFound } from '../../../errors.ts'
import { parseTpmPolicyUpload } from '../../policies/parse-policy-upload.ts'
import { policyUploadOf } from '../../policies/read-policy-upload.ts'
import { RuntimePolicyRequest } from '../../shapes/agent-shape.ts'
import type { VerifierParts } from '../../verifier-parts.ts'
import { type PolicyOperations, policyOperations } from './policies.ts'

const parseRequest = bodyParser(RuntimePolicyRequest, 'malformed_request')

/**
 * …/allowlists and …/allowlists/{name}; DELETE is at …/allowlist/{name}, too. `runtime_policy` is answered as base64,
 * the document's form; the member that lists the names is upstream's, the document shows none (ambiguity RESLIST).
 */
export function runtimePolicyOperations(parts: VerifierParts): PolicyOperations {
  const { require_allow_list_signatures: signatureRequired } = parts.config
  return policyOperations({
    store: parts.store.policies,
    async read({ body }, name) {
      const request = parseRequest(body)
      return {
        name,
        tpm_policy: request.tpm_policy ? parseTpmPolicyUpload(request.tpm_policy) : null,
        runtime_policy: await parts.readPolicyUpload(policyUploadOf(request, signatureRequired)),
      }
    },
    show: ({ name, tpm_policy, runtime_policy }) => ({
      ...{ name, tpm_policy, runtime_policy: toBase64(new TextEncoder().encode(runtime_policy)) },
    }),
    listedAs: 'runtimepolicy names',
    exists: policyExists,
    notFound: policyNotFound,
    inUse: (_, agentId) => `Can't delete allowlist as it's currently in use by agent ${agentId}`,
  })
}
