import { bodyParser } from '../api/parse-body.ts'
import { underEitherName } from '../api/under-either-name.ts'
import { fromBase64 } from '../bytes/base64.ts'
import type { Evaluation, EvidenceCase, PcrReport } from '../evidence/evaluate.ts'
import type { Finding } from '../evidence/findings.ts'
import type { RuntimePolicy } from '../evidence/ima/runtime-policy.ts'
import { parseQuoteString } from '../evidence/quote-string.ts'
import { parseTpmPolicy } from '../evidence/tpm-policy.ts'
import { acceptableNonces } from './acceptable-nonces.ts'
import {
  type VerifyEvidenceRequest as Evidence,
  TypedEvidenceRequest,
  VerifyEvidenceRequest,
} from './agent-shape.ts'
import type { Evaluate } from './evaluate-in-time.ts'
import { checkCarriedSignature } from './policies/check-envelope.ts'
import { parseReferenceState } from './policies/parse-reference-state.ts'
import type { ReadPolicy } from './policies/remember-policies.ts'
import { BOOT_PCRS, IMA_PCR } from './push/required-evidence.ts'
import { readMember } from './read-member.ts'

/** What judges evidence: the evaluation, and what the verifier was set to. */
export interface EvidenceJudge {
  readonly evaluate: Evaluate
  readonly readPolicy: ReadPolicy
  readonly ignoreTomtouErrors: boolean
}

/** The answer of verify/evidence. */
export interface EvidenceVerdict {
  readonly valid: boolean
  /** the proven PCR values; empty when the evidence is not valid */
  readonly claims: { readonly pcrs?: PcrReport | undefined }
  readonly failures: readonly Pick<Finding, 'type' | 'context'>[]
}

const parseFlat = bodyParser(VerifyEvidenceRequest, 'malformed_request')
const parseTyped = bodyParser(TypedEvidenceRequest, 'malformed_request')
const HASHES = ['sha1', 'sha256', 'sha384', 'sha512']
const SCHEMES = ['rsassa', 'rsapss', 'ecdsa']

/**
 * Judges the body of POST verify/evidence: the document's flat form, or upstream's `type` and `data`.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the member that cannot be read
 */
export function evaluateEvidence(body: unknown, judge: EvidenceJudge): Evaluation {
  return judge.evaluate(composeCase(readBody(body), judge))
}

/** What verify/evidence answers to an evaluation: readable evidence that is wrong ends in `failures`. */
export function presentEvaluation({
  verdict,
  findings,
  verifiedPcrs,
}: Evaluation): EvidenceVerdict {
  const valid = verdict === 'pass'
  const failures = findings.map(({ type, context }) => ({ type, context }))
  return { valid, claims: valid ? { pcrs: verifiedPcrs } : {}, failures }
}

function readBody(body: unknown): Evidence {
  const typed = typeof body === 'object' && body !== null && 'type' in body
  return typed ? parseTyped(body).data : parseFlat(body)
}

function composeCase(
  evidence: Evidence,
  { ignoreTomtouErrors, readPolicy }: EvidenceJudge,
): EvidenceCase {
  const quote = readMember('quote', () => parseQuoteString(evidence.quote))
  const tpmPolicy = readMember('tpm_policy', () => parseTpmPolicy(evidence.tpm_policy || '{}'))
  const referenceState = parseReferenceState(evidence.mb_policy || undefined, 'mb_policy')
  const bootLog = underEitherName(evidence, 'mb_list', 'mb_log')
  const pcrs = [...tpmPolicy.allowed.keys(), ...(evidence.ima_measurement_list ? [IMA_PCR] : [])]
  return {
    attestationKey: readMember('tpm_ak', () => fromBase64(evidence.tpm_ak, 'tpm_ak')),
    nonce: acceptableNonces(evidence.nonce),
    hashAlgorithm: evidence.hash_alg,
    acceptedHashes: HASHES,
    acceptedSchemes: SCHEMES,
    requestedPcrs: { bank: evidence.hash_alg, pcrs },
    quote: { ...quote, claimed: { form: 'blob', bytes: quote.pcrBlob } },
    tpmPolicy,
    ignoreTomtouErrors,
    ...imaPart(evidence, readPolicy),
    ...(bootLog === undefined
      ? {}
      : { uefi: readMember('mb_list', () => fromBase64(bootLog, 'mb_list')) }),
    ...(referenceState === null ? {} : { measuredBoot: { required: true, pcrs: BOOT_PCRS } }),
  }
}

function imaPart(
  evidence: Evidence,
  readPolicy: ReadPolicy,
): Pick<EvidenceCase, 'ima' | 'runtimePolicy'> {
  const { ima_measurement_list: list, runtime_policy: policy } = evidence
  return {
    ...(list
      ? {
          ima: {
            format: 'ascii',
            bytes: new TextEncoder().encode(list),
            startingOffset: 0,
          } as const,
        }
      : {}),
    ...(policy
      ? { runtimePolicy: readMember('runtime_policy', () => openPolicy(policy, readPolicy)) }
      : {}),
  }
}

/** Nobody gave a key for it, so an envelope has to bring the certificate of who signed it. */
function openPolicy(text: string, readPolicy: ReadPolicy): RuntimePolicy {
  const policy = readPolicy(text)
  if (policy.envelope) checkCarriedSignature(policy.envelope)
  return policy
}
