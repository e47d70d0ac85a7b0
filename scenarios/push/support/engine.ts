/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { BINARY_LIST, TEXT_LIST } from '../../../conformance/client/agents/capabilities.ts'
export {
  attestationIndex,
  collectEvidence,
  type Defect as EvidenceDefect,
} from '../../../conformance/client/agents/evidence.ts'
export { SOME_CERTIFICATE } from '../../../conformance/client/agents/some-certificate.ts'
export { alterPcr } from '../../../conformance/client/agents/subject-data.ts'
export type { MutateAttest } from '../../../conformance/client/agents/with-mutated-attest.ts'
export { replaceBytes } from '../../../conformance/client/bytes.ts'
export { LITTLE_ALIKE, longestAlike } from '../../../conformance/steps/alike.ts'
export { bootPolicyBody } from '../../../conformance/steps/boot-policies.ts'
export { pushBootFamily } from '../../../conformance/steps/boot-policy-family.ts'
export {
  lastsAsConfigured,
  liesBetween,
  millisecondsBetween,
} from '../../../conformance/steps/lifetime.ts'
export {
  inTime,
  lockedOutAgent,
  PATIENCE,
  SILENCE,
  sleepIntervals,
} from '../../../conformance/steps/lock-out.ts'
export { restartOfVerifier, restartVerifier } from '../../../conformance/steps/restart-servers.ts'
export { storeRuntimePolicy } from '../../../conformance/steps/runtime-policies.ts'
export { alterLastUefiDigest } from '../../../conformance/steps/uefi-defects.ts'
export { certifiedFileSigner } from '../../../simulator/ima/certified-signer.ts'
export {
  type FileSigner,
  keyringOf,
  makeFileSigner,
  signedFileEntry,
} from '../../../simulator/ima/file-signer.ts'
export { imaBufEntry } from '../../../simulator/ima/make-entry.ts'
export { rsaAttester } from '../../../simulator/machine/soft-attester.ts'
export { TPM_ALG, TPM_ST } from '../../../simulator/tpm/constants.ts'
export { digest } from '../../../simulator/tpm/hash.ts'
export { toHex } from '../../../simulator/tpm/write.ts'
