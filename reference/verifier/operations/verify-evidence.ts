import type { Handler } from '../../api/call.ts'
import { evaluateEvidence, presentEvaluation } from '../evidence-request.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/**
 * POST /v2.5/verify/evidence: judges evidence that a third party brings, in one call and without an
 * agent record. Unreadable input is the caller's fault (400).
 */
export function verifyEvidence(parts: VerifierParts): Handler {
  return ({ body }) => {
    const { evaluate, readSentPolicy, config } = parts
    const judge = {
      evaluate,
      readPolicy: readSentPolicy,
      ignoreTomtouErrors: config.ignore_tomtou_errors,
    }
    return { body: presentEvaluation(evaluateEvidence(body, judge)) }
  }
}
