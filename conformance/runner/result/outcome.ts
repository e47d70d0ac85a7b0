import {
  DeadlinePassed,
  Interrupted,
  NotApplicable,
  Overslept,
  PrerequisiteFailed,
} from '../../attempt/endings.ts'
import type {
  CheckResult,
  EndedEarly,
  Outcome,
  ScenarioResult,
  Scope,
  Verdict,
} from '../../report/result.ts'
import { checkSentence } from '../../report/sentences.ts'
import { INTERRUPTED } from './ended-early.ts'

type Decision = Pick<ScenarioResult, 'outcome' | 'reason' | 'failed_step' | 'unfinished'>

interface Evidence {
  /** In the order in which they were made, waived ones included. */
  readonly checks: readonly CheckResult[]
  readonly observations: number
  /** The exception that ended the scenario, if any. */
  readonly thrown: unknown
}

/**
 * The outcome of one scenario. A check that did not hold outweighs an exception after it, since later
 * steps depend on earlier ones. Rows on which the document is silent warn.
 */
export function decideOutcome({ checks, observations, thrown }: Evidence): Decision {
  const broken = checks.filter(({ ok }) => !ok)
  const counting = broken.filter(({ excused }) => excused === undefined)
  const failed = counting.find(({ strength }) => strength !== 'silent')
  if (thrown instanceof DeadlinePassed) return { outcome: 'hang', reason: thrown.message }
  if (failed !== undefined) return { outcome: 'fail', reason: checkSentence(failed) }
  if (thrown !== undefined) return decideThrown(thrown)
  const [warning] = counting
  if (warning !== undefined) return { outcome: 'warn', reason: checkSentence(warning) }
  const [excused] = broken
  if (excused !== undefined) return { outcome: 'waived', reason: excused.excused ?? '' }
  if (checks.length > 0) return { outcome: 'pass' }
  if (observations > 0) return { outcome: 'observed', reason: 'the document is silent here' }
  return { outcome: 'harness-fault', reason: 'it made no check and recorded nothing' }
}

function decideThrown(thrown: unknown): Decision {
  if (thrown instanceof PrerequisiteFailed) {
    const reason = `a step it depends on failed: ${thrown.message}`
    const { step } = thrown
    return { outcome: 'fail', reason, ...(step && { failed_step: step }) }
  }
  if (thrown instanceof Interrupted) return INTERRUPTED
  if (thrown instanceof NotApplicable) return { outcome: 'not-applicable', reason: thrown.message }
  if (thrown instanceof Overslept) return { outcome: 'harness-fault', reason: thrown.message }
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return { outcome: 'harness-fault', reason }
}

/** Outcomes of a twin with which its variants are meaningful. */
const STANDS: ReadonlySet<Outcome> = new Set(['pass', 'warn', 'waived'])

export function isStanding(outcome: Outcome): boolean {
  return STANDS.has(outcome)
}

interface Decided {
  readonly verdict: Verdict
  readonly exitCode: 0 | 1 | 2
}

/**
 * Limits the verdict to what the run covers: a part of the scenarios never conforms, and neither does a verifier whose
 * checks of evidence did not run, nor a run with a baseline.
 */
export function limitVerdict(
  decided: Decided,
  { narrowed, missing }: Pick<Scope, 'narrowed' | 'missing'>,
  hasBaseline = false,
): Decided {
  if (decided.verdict !== 'conforms') return decided
  if (narrowed.length === 0 && missing.length > 0) return { verdict: 'no verdict', exitCode: 2 }
  if (hasBaseline) return { verdict: 'matches the baseline', exitCode: 0 }
  return narrowed.length > 0 ? { verdict: 'part passed', exitCode: 0 } : decided
}

/**
 * The verdict of a run and its exit code: 0 conforms, 1 does not, 2 no verdict. A subject that died does not conform;
 * an interrupted run has no verdict.
 */
export function decideVerdict(
  scenarios: readonly Pick<ScenarioResult, 'outcome' | 'expected'>[],
  complaints: readonly string[] = [],
  ended?: EndedEarly['because'],
): Decided {
  if (ended === 'died') return { verdict: 'does not conform', exitCode: 1 }
  if (ended === 'interrupted') return { verdict: 'no verdict', exitCode: 2 }
  const has = (...outcomes: readonly Outcome[]) =>
    scenarios.some(({ outcome }) => outcomes.includes(outcome))
  if (has('harness-fault') || !has('pass', 'warn', 'fail', 'hang', 'waived')) {
    return { verdict: 'no verdict', exitCode: 2 }
  }
  if (has('fail', 'hang', 'blocked') || complaints.length > 0) {
    return { verdict: 'does not conform', exitCode: 1 }
  }
  return has('pass', 'warn') || scenarios.some(({ expected }) => expected !== undefined)
    ? { verdict: 'conforms', exitCode: 0 }
    : { verdict: 'does not conform', exitCode: 1 }
}
