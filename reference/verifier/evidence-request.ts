import { bodyParser } from '../api/parse-body.ts'
import type { Evaluation, PcrReport } from '../evidence/evaluate.ts'
import type { Finding } from '../evidence/findings.ts'
import { composeSentCase, type SentEvidence, type SentReaders } from './compose-sent-case.ts'
import type { Evaluate } from './evaluation/with-time-limit.ts'
import {
  type VerifyEvidenceRequest as Evidence,
  TypedEvidenceRequest,
  VerifyEvidenceRequest,
} from './shapes/agent-shape.ts'

/** The evaluation function and the settings of the verifier. */
interface EvidenceParts extends SentReaders, Omit<SentEvidence, 'evidence'> {
  readonly evaluate: Evaluate
}

/** The reply of verify/evidence. */
export interface EvidenceVerdict {
  readonly valid: boolean
  /** the proven PCR values; empty when the evidence is not valid */
  readonly claims: { readonly pcrs?: PcrReport | undefined }
  readonly failures: readonly Pick<Finding, 'type' | 'context'>[]
}

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
}: Evaluation): EvidenceVerdict {
  const valid = verdict === 'pass'
  const failures = findings.map(({ type, context }) => ({ type, context }))
  return { valid, claims: valid ? { pcrs: verifiedPcrs } : {}, failures }
}

/**
 * The body of POST verify/evidence in the document's form.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the invalid member
 */
export function readSentEvidence(body: unknown): Evidence {
  const typed = typeof body === 'object' && body !== null && 'type' in body
  return typed ? parseTyped(body).data : parseFlat(body)
}
