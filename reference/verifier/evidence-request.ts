import { bodyParser } from '../api/bodies/parse-body.ts'
import { type ApiVersion, isWithin, type VersionRange } from '../api/versions.ts'
import { ApiError } from '../errors.ts'
import type { Evaluation, PcrReport } from '../evidence/evaluate.ts'
import type { Finding } from '../evidence/findings.ts'
import { composeSentCase, type SentEvidence, type SentReaders } from './compose-sent-case.ts'
import type { Evaluate } from './evaluation/with-time-limit.ts'
import {
  type VerifyEvidenceRequest as Evidence,
  TypedEvidenceRequest,
  VerifyEvidenceRequest,
} from './shapes/agent-shape.ts'
import { type TeeEvidence, TeeEvidenceRequest } from './tee/tee-shape.ts'

/** The evaluation function and the settings of the verifier. */
interface EvidenceParts extends SentReaders, Omit<SentEvidence, 'evidence'> {
  readonly evaluate: Evaluate
}

/** The reply of verify/evidence. */
export interface EvidenceVerdict<Claims = object> {
  readonly valid: boolean
  /** what was proven; empty when the evidence is not valid */
  readonly claims: Claims
  readonly failures: readonly Pick<Finding, 'type' | 'context'>[]
}

/** The claims of evidence of a TPM: the proven PCR values. */
export interface PcrClaims {
  readonly pcrs?: PcrReport | undefined
}

/** The body of POST verify/evidence, by its type. */
export type EvidenceRequest =
  | { readonly type: 'tpm'; readonly evidence: Evidence }
  | { readonly type: 'tee'; readonly evidence: TeeEvidence }

/** The types of evidence, and the versions that have them. */
const TYPES: readonly (Partial<VersionRange> & Pick<EvidenceRequest, 'type'>)[] = [
  { type: 'tpm' },
  { type: 'tee', since: '2.5' },
]

const TEE_MEMBERS = Object.keys(TeeEvidenceRequest.properties.data.properties).filter((name) =>
  name.startsWith('tee-'),
)

const parseTee = bodyParser(TeeEvidenceRequest, 'malformed_request')
const parseFlat = bodyParser(VerifyEvidenceRequest, 'malformed_request')
const parseTyped = bodyParser(TypedEvidenceRequest, 'malformed_request')

/**
 * Evaluates the body of POST verify/evidence: the document's flat form, or upstream's `type` and `data`.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the member that cannot be read
 */
export function evaluateEvidence(body: unknown, parts: EvidenceParts): Evaluation {
  return parts.evaluate(composeSentCase({ ...parts, evidence: readSentEvidence(body) }, parts))
}

/** The verify/evidence reply for an evaluation: readable evidence that is wrong ends in `failures`. */
export function presentEvaluation({
  verdict,
  findings,
  verifiedPcrs,
}: Evaluation): EvidenceVerdict<PcrClaims> {
  const valid = verdict === 'pass'
  const failures = findings.map(({ type, context }) => ({ type, context }))
  return { valid, claims: valid ? { pcrs: verifiedPcrs } : {}, failures }
}

/**
 * The body of POST verify/evidence under a version.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the invalid member
 */
export function readEvidenceRequest(body: unknown, version: ApiVersion): EvidenceRequest {
  if (!isTyped(body)) return { type: 'tpm', evidence: readSentEvidence(body) }
  const types = TYPES.filter((row) => isWithin(version, row)).map(({ type }) => type)
  const type = types.find((each) => each === body.type)
  if (type === 'tee') return { type, evidence: parseTee(body).data }
  if (type === 'tpm') return { type, evidence: readSentEvidence(body) }
  const supported = types.map((each) => JSON.stringify(each)).join(' or ')
  const detail = `/type: must be ${supported} under API ${version}`
  throw new ApiError('malformed_request', detail, { pointer: '/type' })
}

/**
 * The evidence of a large body, which is that of a TPM.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the invalid member; `body_too_large` for other evidence
 */
export function readLargeEvidence(body: unknown, version: ApiVersion): Evidence {
  const { type, evidence } = readEvidenceRequest(body, version)
  if (type === 'tpm') return evidence
  throw new ApiError('body_too_large', `Evidence of the type "${type}" may have 16 KiB.`)
}

/**
 * Evidence of a TPM, in the document's form.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the invalid member
 */
export function readSentEvidence(body: unknown): Evidence {
  const evidence = isTyped(body) ? parseTyped(body).data : parseFlat(body)
  const other = TEE_MEMBERS.find((name) => Object.hasOwn(evidence, name))
  if (other === undefined) return evidence
  const pointer = isTyped(body) ? `/data/${other}` : `/${other}`
  const detail = `${pointer}: is a member of evidence of the type "tee"`
  throw new ApiError('malformed_request', detail, { pointer })
}

function isTyped(body: unknown): body is { readonly type: unknown } {
  return typeof body === 'object' && body !== null && 'type' in body
}
