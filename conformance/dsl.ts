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
export { pullBootFamily, pushBootFamily } from './adversarial/boot-policy-family.ts'
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
export { bootPolicyBody, POLICED_BOOT, storeBootPolicy } from './client/boot-policies.ts'
export { base64, cutLines, flipBit, replaceBytes } from './client/bytes.ts'
export { BINARY_LIST } from './client/capabilities.ts'
export { ekCertificateCells } from './client/ek-certificate-cells.ts'
export { attestationIndex } from './client/evidence.ts'
export { bearer, NOBODY, withAuthorization } from './client/identity.ts'
export { identityQuery, identityQuote } from './client/identity-quote.ts'
export { isEndorsementKey } from './client/key-forms.ts'
export { inTime, lockedOutAgent, SILENCE, sleepIntervals } from './client/lock-out.ts'
export { makePolicySigner } from './client/policy-signer.ts'
export { countOf, type PullAgent } from './client/pull-agent.ts'
export type { PushAgent } from './client/push-agent.ts'
export { renegotiateTls } from './client/renegotiate-tls.ts'
export {
  at,
  attributes,
  isRefusal,
  isSuccess,
  jsonIn,
  listOf,
  type Reply,
  results,
} from './client/reply.ts'
export { restartVerifier } from './client/restart-verifier.ts'
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
export { relived } from './model/relived.ts'
export {
  checkQuote,
  quoteRequirements,
} from './oracle/check-quote.ts'
export { checkAsked, checkNonces } from './pull/check-asked.ts'
export { pollingFamily } from './pull/polling-family.ts'
export { checkRevocations, makeRevocationKey } from './pull/revocations.ts'
export {
  CAPABILITIES_FAIL,
  checkGrowth as checkPushBackoff,
  checkOver as checkPushRecovered,
  LATER_FAILURES,
  PATIENT as PUSH_PATIENT,
  REGISTRATION_FAILS,
  SESSION_FAILS,
} from './push-agent/check-backoff.ts'
export {
  CAPABILITY_REQUIREMENTS as PUSH_CAPABILITIES,
  checkCapabilities as checkPushCapabilities,
} from './push-agent/check-capabilities.ts'
export {
  CYCLE_REQUIREMENTS as PUSH_CYCLES,
  checkCycles as checkPushCycles,
} from './push-agent/check-cycles.ts'
export {
  checkDocuments as checkPushDocuments,
  checkQuotes as checkPushQuotes,
  EVIDENCE_REQUIREMENTS as PUSH_EVIDENCE,
  QUOTE_REQUIREMENTS as PUSH_QUOTE,
} from './push-agent/check-evidence.ts'
export {
  checkWait as checkPushWait,
  nextWait as nextPushWait,
} from './push-agent/check-interval.ts'
export {
  checkBootLogs as checkPushBootLogs,
  checkLists as checkPushLists,
  LIST_REQUIREMENTS as PUSH_LISTS,
} from './push-agent/check-lists.ts'
export {
  checkRegistration as checkPushRegistration,
  REGISTRATION_REQUIREMENTS as PUSH_REGISTRATION,
} from './push-agent/check-registration.ts'
export {
  checkOpening as checkPushOpening,
  checkProofs as checkPushProofs,
  SESSION_REQUIREMENTS as PUSH_SESSION,
} from './push-agent/check-session.ts'
export {
  checkTokens as checkPushTokens,
  TOKEN_REQUIREMENTS as PUSH_TOKEN,
} from './push-agent/check-token.ts'
export { faceImpostors } from './push-agent/face-impostors.ts'
export { pushRepliesFamily } from './push-agent/replies-family.ts'
export {
  stepsOf as stepsOfPush,
  tokensGiven as pushTokensGiven,
} from './push-agent/story-parts.ts'
export { REFUSED } from './runner/check.ts'
export { agentClosedFamily } from './subjects/agent-closed-family.ts'
export {
  awaitDerived,
  freshNonce,
  giveKeys,
  proveKey,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from './subjects/agent-deeds.ts'
export { awaitPayload } from './subjects/agent-payload.ts'
export { agentRoutesFamily } from './subjects/agent-routes-family.ts'
export { encryptKey, hmacOf, makeBootstrapKeys, sealPayload } from './subjects/bootstrap-keys.ts'
export { bootLogOf, imaListOf } from './subjects/machine-logs.ts'
export { malformedAgentRequests, tellsNothing } from './subjects/malformed-requests.ts'
export { checkAttestationKey, checkEndorsement } from './subjects/registered-keys.ts'
export {
  certificatesShown,
  openPayload,
  tenantDeeds,
  tenantImpostors,
  tenantKeys,
} from './subjects/tenant-deeds.ts'
