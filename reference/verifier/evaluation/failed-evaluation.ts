import type { Evaluation } from '../../evidence/evaluate.ts'
import { type FailureKind, finding } from '../../evidence/findings.ts'
import { worstSeverity } from '../../evidence/severity.ts'

/** An evaluation that came to no end of its own: what cannot be judged is never taken for good. */
export function failedEvaluation(
  kind: FailureKind & `internal.${string}`,
  message: string,
): Evaluation {
  const findings = [finding(kind, message)]
  const severity = worstSeverity(findings)
  return {
    verdict: 'fail',
    failureReason: 'broken_evidence_chain',
    ...(severity && { severity }),
    findings,
  }
}
