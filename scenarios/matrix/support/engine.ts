/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { isObject } from '../../../conformance/attempt/reply.ts'
export { identityQuery, identityQuote } from '../../../conformance/client/agents/identity-quote.ts'
export { thirdPartyEvidence } from '../../../conformance/client/agents/third-party-evidence.ts'
export {
  freshNonce,
  giveKeys,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../../../conformance/peers/agent-operations.ts'
export { makeBootstrapKeys } from '../../../conformance/peers/bootstrap-keys.ts'
export { bootPolicyBody, storeBootPolicy } from '../../../conformance/steps/boot-policies.ts'
