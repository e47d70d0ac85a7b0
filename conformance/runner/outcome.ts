import type { CheckResult, Outcome, ScenarioResult, Verdict } from '../report/result.ts'
import { DeadlinePassed, NotApplicable, PrerequisiteFailed } from './endings.ts'

export interface Decision {
  readonly outcome: Outcome
  readonly reason?: string
}

/**
 * The outcome of one scenario from its checks and from what it threw, if anything. A failed check
 * outweighs what was thrown afterwards: later steps stand on earlier ones.
 */
export function decideOutcome(checks: readonly CheckResult[], thrown: unknown): Decision {
  const failed = checks.find(({ ok }) => !ok)
  if (thrown instanceof DeadlinePassed) return { outcome: 'hang', reason: thrown.message }
  if (failed !== undefined) return { outcome: 'fail', reason: sentenceOf(failed) }
  if (thrown instanceof PrerequisiteFailed) {
    return { outcome: 'fail', reason: `a step it stands on failed: ${thrown.message}` }
  }
  if (thrown instanceof NotApplicable) return { outcome: 'not-applicable', reason: thrown.message }
  if (thrown !== undefined) return { outcome: 'harness-error', reason: describe(thrown) }
  if (checks.length === 0) return { outcome: 'harness-error', reason: 'it made no check' }
  return { outcome: 'pass' }
}

function sentenceOf({ requirement, what, expected, received }: CheckResult): string {
  return `${requirement}: ${what} was expected to be ${expected}, and was ${received}`
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
}

/** The verdict of a run and its exit code: 0 conforms, 1 does not, 2 no verdict. */
export function decideVerdict(scenarios: readonly Pick<ScenarioResult, 'outcome'>[]): {
  readonly verdict: Verdict
  readonly exitCode: 0 | 1 | 2
} {
  const has = (...outcomes: readonly Outcome[]) =>
    scenarios.some(({ outcome }) => outcomes.includes(outcome))
  if (has('harness-error') || !has('pass', 'fail', 'hang'))
    return { verdict: 'no verdict', exitCode: 2 }
  if (has('fail', 'hang', 'blocked')) return { verdict: 'does not conform', exitCode: 1 }
  return { verdict: 'conforms', exitCode: 0 }
}
