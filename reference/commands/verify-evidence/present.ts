import type { Evaluation } from '../../evidence/evaluate.ts'
import { printable } from '../../platform/printable.ts'
import {
  type EvidenceVerdict,
  type PcrClaims,
  presentEvaluation,
} from '../../verifier/evidence-request.ts'

/** A verdict with what stood beside it: the object that `--json` prints. */
export interface OfflineVerdict extends EvidenceVerdict<PcrClaims> {
  readonly schema: 'assay.verify-evidence/1'
  readonly failure_reason: string | null
  readonly notes: readonly string[]
}

/** The verdict of an evaluation as `--json` and `--batch` print it. */
export function offlineVerdict(
  evaluation: Evaluation,
  notes: readonly string[] = [],
): OfflineVerdict {
  return {
    schema: 'assay.verify-evidence/1',
    ...presentEvaluation(evaluation),
    failure_reason: evaluation.failureReason ?? null,
    notes,
  }
}

const MOST_FAILURES = 50

function failureLines({ failures }: OfflineVerdict): readonly string[] {
  const shown = failures
    .slice(0, MOST_FAILURES)
    .flatMap(({ type, context }) => [`  ${printable(type)}`, `    ${printable(context.message)}`])
  const rest = failures.length - MOST_FAILURES
  return rest > 0 ? [...shown, `  and ${rest} more: --json lists all`] : shown
}

function pcrLines({ claims }: OfflineVerdict): readonly string[] {
  return Object.entries(claims.pcrs ?? {}).flatMap(([bank, values]) =>
    Object.entries(values).map(
      ([pcr, value]) => `  ${bank.padEnd(6)} ${pcr.padStart(2)}  ${String(value)}`,
    ),
  )
}

function headline({ valid, failures, failure_reason }: OfflineVerdict): string {
  if (valid) return 'valid: the quote proves these PCR values'
  const count = failures.length === 1 ? '1 failure' : `${failures.length} failures`
  return `not valid (${failure_reason}): ${count}`
}

/** The verdict for a person, without colour: what is proven, or what is wrong, and what was not looked at. */
export function presentVerdict(verdict: OfflineVerdict): string {
  const lines = verdict.valid ? pcrLines(verdict) : failureLines(verdict)
  return [headline(verdict), ...lines, ...verdict.notes.map((note) => `note: ${note}`)].join('\n')
}
