import type { Evaluation } from '../../evidence/evaluate.ts'
import { type FailureKind, finding } from '../../evidence/findings.ts'
import { worstSeverity } from '../../evidence/severity.ts'

/** The evaluation of evidence that could not be evaluated: it fails. */
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
