/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export type { ProofDefect, SessionProof } from '../../../conformance/client/agents/session-proof.ts'
export {
  bearing,
  NO_CHALLENGE,
  NO_TOKEN,
  presentOpening,
  tokenOf,
} from '../../../conformance/client/agents/session-replies.ts'
export type { MutateAttest } from '../../../conformance/client/agents/with-mutated-attest.ts'
export { bearer, onOneConnection, withAuthorization } from '../../../conformance/client/identity.ts'
export { LITTLE_ALIKE, longestAlike } from '../../../conformance/steps/alike.ts'
export {
  lastsAsConfigured,
  liesBetween,
  millisecondsBetween,
} from '../../../conformance/steps/lifetime.ts'
export { restartVerifier } from '../../../conformance/steps/restart-servers.ts'
export { rsaSignature } from '../../../simulator/machine/soft-attester.ts'
export { TPM_ST } from '../../../simulator/tpm/constants.ts'
export { parseSignature, writeSignature } from '../../../simulator/tpm/signature.ts'
