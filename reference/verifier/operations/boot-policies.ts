import { type Call, type Handler, parameter } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { checkPolicyName } from '../../api/policy-name.ts'
import { underEitherName } from '../../api/under-either-name.ts'
import { ApiError, bootPolicyExists, bootPolicyNotFound } from '../../errors.ts'
import type { BootPolicyRow } from '../../storage/database.ts'
import { BootPolicyRequest } from '../agent-shape.ts'
import { readReferenceState } from '../policies/parse-reference-state.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(BootPolicyRequest, 'malformed_request')

/** POST …/mbpolicies/{name}. The document shows neither bodies nor members; they are upstream's. */
export function createBootPolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const row = readPolicy(call)
    if (!(await parts.store.bootPolicies.add(row))) throw bootPolicyExists(row.name)
    return {}
  }
}

/** PUT …/mbpolicies/{name}: whoever is judged by the policy is judged by the new one from then on. */
export function replaceBootPolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const row = readPolicy(call)
    if (!(await parts.store.bootPolicies.replace(row))) throw bootPolicyNotFound(row.name)
    return {}
  }
}

/** GET …/mbpolicies/{name} */
export function readBootPolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const name = parameter(call, 'name')
    const row = await parts.store.bootPolicies.find(name)
    if (row === undefined) throw bootPolicyNotFound(name)
    return { body: { name, mb_policy: row.mb_policy } }
  }
}

/** GET …/mbpolicies */
export function listBootPolicies(parts: VerifierParts): Handler {
  return async () => ({ body: { 'mbpolicy names': await parts.store.bootPolicies.names() } })
}

/** DELETE …/mbpolicies/{name}; refused while an agent uses it. */
export function deleteBootPolicy(parts: VerifierParts): Handler {
  return async (call) => {
    const name = parameter(call, 'name')
    const removal = await parts.store.bootPolicies.remove(name)
    if (removal.outcome === 'missing') throw bootPolicyNotFound(name)
    if (removal.outcome === 'in_use') {
      throw new ApiError(
        'conflict',
        `Measured boot policy ${name} is in use by agent ${removal.by}`,
      )
    }
    return {}
  }
}

function readPolicy(call: Call): BootPolicyRow {
  const name = checkPolicyName(parameter(call, 'name'))
  const text = underEitherName(parseRequest(call.body), 'mb_policy', 'mb_refstate')
  return { name, mb_policy: readReferenceState(text ?? '', 'mb_policy') }
}
