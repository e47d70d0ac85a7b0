import { OUTCOME_ROWS, reasonOf } from '../../conformance/report/outcomes.ts'
import type { CheckResult, ScenarioResult } from '../../conformance/report/result.ts'
import { shortLine } from '../../conformance/report/visible.ts'

/** How a replay compares with its recording. */
export type Comparison = 'reproduced' | 'not reproduced' | 'differs'

export interface ReplayVerdict {
  readonly comparison: Comparison
  /** One sentence: what happened, or where it differs. */
  readonly says: string
}

const LIMIT = 300

/** A check without its values, which hold nonces and times. */
const nameOf = ({ requirement, what, cell = '' }: CheckResult): string =>
  [requirement, what, cell].join(' ').trim()

/** The failed checks, in order, then the failed step. */
function failuresOf({ checks, failed_step: step }: ScenarioResult): readonly string[] {
  const failed = checks.filter(({ ok }) => !ok).map(nameOf)
  return step === undefined ? failed : [...failed, `step ${step.what}`]
}

const wordOf = ({ outcome }: ScenarioResult): string => OUTCOME_ROWS[outcome].word

/**
 * Compares a replay with its recording: `reproduced` if it has the same outcome and the same failures, `not reproduced`
 * if the recorded failures are gone and it passes, `differs` otherwise, with the first difference.
 */
export function compareReplay(recorded: ScenarioResult, replayed: ScenarioResult): ReplayVerdict {
  const [before, after] = [failuresOf(recorded), failuresOf(replayed)]
  const isSame = before.length === after.length && before.every((one, at) => one === after[at])
  if (isSame && recorded.outcome === replayed.outcome)
    return { comparison: 'reproduced', says: reasonOf(replayed) || 'every check held again' }
  if (replayed.outcome === 'pass' && recorded.outcome !== 'pass')
    return { comparison: 'not reproduced', says: 'every check holds now' }
  return { comparison: 'differs', says: firstDifference(recorded, replayed) }
}

function firstDifference(recorded: ScenarioResult, replayed: ScenarioResult): string {
  const [before, after] = [failuresOf(recorded), failuresOf(replayed)]
  const added = after.find((one) => !before.includes(one))
  const gone = before.find((one) => !after.includes(one))
  const outcomes = `${wordOf(recorded)} then, ${wordOf(replayed)} now`
  if (added !== undefined)
    return `${outcomes}; here: ${added} held then, and does not now: ${shortLine(reasonOf(replayed), LIMIT)}`
  if (gone !== undefined) return `${outcomes}; here: ${gone} did not hold then, and holds now`
  return `${outcomes}: ${shortLine(reasonOf(replayed), LIMIT)}`
}
