import type { Evaluation } from '../evidence/evaluate.ts'

/** An evaluation that came to no end of its own: what cannot be judged is never taken for good. */
export function failedEvaluation(type: string, message: string): Evaluation {
  const reason = 'broken_evidence_chain'
  return {
    verdict: 'fail',
    failureReason: reason,
    findings: [{ type, reason, context: { message } }],
  }
}
