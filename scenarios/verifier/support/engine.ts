/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { isObject } from '../../../conformance/attempt/reply.ts'
export { enrolmentOf } from '../../../conformance/client/agents/enrolment.ts'
export {
  type IdentityDefect,
  identityQuery,
  identityQuote,
} from '../../../conformance/client/agents/identity-quote.ts'
export { countOf } from '../../../conformance/client/agents/pull-agent.ts'
export { thirdPartyEvidence } from '../../../conformance/client/agents/third-party-evidence.ts'
export {
  bootPolicyBody,
  POLICED_BOOT,
  storeBootPolicy,
} from '../../../conformance/steps/boot-policies.ts'
export { pullBootFamily } from '../../../conformance/steps/boot-policy-family.ts'
export { answerIn, NOT_VALID, validityIn } from '../../../conformance/steps/evidence-validity.ts'
export { restartVerifier } from '../../../conformance/steps/restart-servers.ts'
export {
  policyNaming,
  readPolicyText,
  runtimePolicyBody,
  storeRuntimePolicy,
} from '../../../conformance/steps/runtime-policies.ts'
export { alterLastUefiDigest, uefiLogOfBank } from '../../../conformance/steps/uefi-defects.ts'
export { OTHER_HOST } from '../../../simulator/agents/agent-listener.ts'
export { STRANGER } from '../../../simulator/agents/node-key.ts'
export { keyringOf, makeFileSigner, signedFileEntry } from '../../../simulator/ima/file-signer.ts'
export { imaBufEntry } from '../../../simulator/ima/make-entry.ts'
export { TPM_ST } from '../../../simulator/tpm/constants.ts'
export { digest } from '../../../simulator/tpm/hash.ts'
export { toHex } from '../../../simulator/tpm/write.ts'
