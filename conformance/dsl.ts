import type { Scenario } from './runner/scenario.ts'

/**
 * The only module a scenario may import. A scenario is data with one function: what it is called,
 * which requirements it speaks for, under which versions it applies, and what it does.
 */
export function scenario(definition: Scenario): Scenario {
  return definition
}

export { keyringOf, makeFileSigner, signedFileEntry } from '../simulator/ima/file-signer.ts'
export { toHex } from '../simulator/tpm/write.ts'
export { ekCertificateForms } from './adversarial/ek-certificate-forms.ts'
export { evidenceFamily } from './adversarial/evidence-family.ts'
export { failureFamily } from './adversarial/failure-family.ts'
export { faultFamily } from './adversarial/fault-family.ts'
export {
  checkAnsweredAlike,
  checkRegistered,
  goldenRegistration,
  registerGolden,
  registrationFamily,
} from './adversarial/registration-family.ts'
export { subjectDataFamily } from './adversarial/subject-data-family.ts'
export { authorizationFamily } from './authorization/family.ts'
export { adminCertificateFamily } from './certificates/admin-family.ts'
export { pullCertificateFamily } from './certificates/pull-family.ts'
export { pushCertificateFamily } from './certificates/push-family.ts'
export { bootPolicyBody, storeBootPolicy } from './client/boot-policies.ts'
export { base64, cutLines, flipBit, replaceBytes } from './client/bytes.ts'
export { BINARY_LIST } from './client/capabilities.ts'
export { attestationIndex } from './client/evidence.ts'
export { bearer, NOBODY, withAuthorization } from './client/identity.ts'
export { identityQuery, identityQuote } from './client/identity-quote.ts'
export { isEndorsementKey } from './client/key-forms.ts'
export { lockedOutAgent, SILENCE, sleepIntervals } from './client/lock-out.ts'
export { makePolicySigner } from './client/policy-signer.ts'
export type { PushAgent } from './client/push-agent.ts'
export {
  at,
  attributes,
  isRefusal,
  isSuccess,
  listOf,
  type Reply,
  results,
} from './client/reply.ts'
export { resumeTls } from './client/resume-tls.ts'
export {
  policyNaming,
  readPolicyText,
  runtimePolicyBody,
  storeRuntimePolicy,
} from './client/runtime-policies.ts'
export { bearing, NO_CHALLENGE, NO_TOKEN, tokenOf } from './client/session-replies.ts'
export { SOME_CERTIFICATE, SOME_SERVER_CERTIFICATE } from './client/some-certificate.ts'
export { alterPcr } from './client/subject-data.ts'
export { thirdPartyEvidence } from './client/third-party-evidence.ts'
export { alterLastUefiDigest, uefiLogOfBank } from './client/uefi-defects.ts'
export { contentFamily } from './http/content-family.ts'
export { errorFamily } from './http/error-family.ts'
export { floodFamily } from './http/flood-family.ts'
export { framingFamily } from './http/framing-family.ts'
export { manyHeadersFamily } from './http/many-headers-family.ts'
export { methodFamily } from './http/method-family.ts'
export { othersServedFamily } from './http/others-served-family.ts'
export { pathFamily } from './http/path-family.ts'
export { pushDocumentFamily } from './http/push-document-family.ts'
export { servedFamily } from './http/served-family.ts'
export { fieldsOf } from './matrix/fields-part.ts'
export { formsFamily } from './matrix/forms-family.ts'
export { freshnessFamily } from './matrix/freshness-family.ts'
export { routesFamily } from './matrix/routes-family.ts'
export { selectionFamily } from './matrix/selection-family.ts'
export { transitionsFamily } from './matrix/transitions-family.ts'
export { REFUSED } from './runner/check.ts'
