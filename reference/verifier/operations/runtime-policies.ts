import { type Call, type Handler, parameter } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { checkPolicyName } from '../../api/policy-name.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { ApiError, policyExists, policyNotFound } from '../../errors.ts'
import type { RuntimePolicyRow } from '../../storage/database.ts'
import { RuntimePolicyRequest } from '../agent-shape.ts'
import { checkPolicySignature } from '../policies/check-policy-signature.ts'
import { parseTpmPolicyUpload } from '../policies/parse-policy-upload.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(RuntimePolicyRequest, 'malformed_request')

/** POST …/allowlists/{name} */
export function createRuntimePolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const row = readPolicy(parts, call)
    if (!(await parts.store.policies.add(row))) throw policyExists(row.name)
    return {}
  }
}

/** PUT …/allowlists/{name}: whoever is judged by the policy is judged by the new one from then on. */
export function replaceRuntimePolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const row = readPolicy(parts, call)
    if (!(await parts.store.policies.replace(row))) throw policyNotFound(row.name)
    return {}
  }
}

/** GET …/allowlists/{name}: `runtime_policy` as base64, the document's form. */
export function readRuntimePolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const name = parameter(call, 'name')
    const row = await parts.store.policies.find(name)
    if (row === undefined) throw policyNotFound(name)
    const runtime_policy = toBase64(new TextEncoder().encode(row.runtime_policy))
    return { body: { name, tpm_policy: row.tpm_policy, runtime_policy } }
  }
}

/** GET …/allowlists: the key is upstream's, the document shows none (ambiguity RESLIST). */
export function listRuntimePolicies(parts: VerifierParts): Handler {
  return async () => ({ body: { 'runtimepolicy names': await parts.store.policies.names() } })
}

/** DELETE …/allowlist/{name} and …/allowlists/{name}; refused while an agent uses it. */
export function deleteRuntimePolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const name = parameter(call, 'name')
    const removal = await parts.store.policies.remove(name)
    if (removal.outcome === 'missing') throw policyNotFound(name)
    if (removal.outcome === 'in_use') {
      throw new ApiError(
        'conflict',
        `Can't delete allowlist as it's currently in use by agent ${removal.by}`,
      )
    }
    return {}
  }
}

function readPolicy(parts: VerifierParts, call: Call): RuntimePolicyRow {
  const name = checkPolicyName(parameter(call, 'name'))
  const request = parseRequest(call.body)
  checkPolicySignature(request, parts.config.require_allow_list_signatures)
  return {
    name,
    tpm_policy: request.tpm_policy ? parseTpmPolicyUpload(request.tpm_policy) : null,
    runtime_policy: parts.readPolicyUpload(request.runtime_policy),
  }
}
