import { bodyParser } from '../../../api/bodies/parse-body.ts'
import { nameGiven, underEitherName } from '../../../api/under-either-name.ts'
import { bootPolicyExists, bootPolicyNotFound } from '../../../errors.ts'
import { readReferenceState } from '../../policies/parse-reference-state.ts'
import { BootPolicyRequest } from '../../shapes/agent-shape.ts'
import type { VerifierParts } from '../../verifier-parts.ts'
import { type PolicyOperations, policyOperations } from './policies.ts'

const parseRequest = bodyParser(BootPolicyRequest, 'malformed_request')

/** …/mbpolicies and …/mbpolicies/{name}. The document shows neither bodies nor members; they are upstream's. */
export function bootPolicyOperations({ store }: VerifierParts): PolicyOperations {
  return policyOperations({
    store: store.bootPolicies,
    read: ({ body }, name) => ({ name, mb_policy: readPolicy(body) }),
    show: ({ name, mb_policy }) => ({ name, mb_policy }),
    listedAs: 'mbpolicy names',
    exists: bootPolicyExists,
    notFound: bootPolicyNotFound,
    inUse: (name, agentId) => `Measured boot policy ${name} is in use by agent ${agentId}`,
  })
}

function readPolicy(body: unknown): string {
  const request = parseRequest(body)
  const text = underEitherName(request, 'mb_policy', 'mb_refstate')
  const member = text === undefined ? 'mb_policy' : nameGiven(request, 'mb_policy', 'mb_refstate')
  return readReferenceState(text ?? '', member)
}
