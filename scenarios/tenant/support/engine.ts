export { makeBootstrapKeys, sealPayload } from '../../../conformance/peers/bootstrap-keys.ts'
export { longestAlike, TEXTS_LITTLE_ALIKE } from '../../../conformance/steps/alike.ts'
