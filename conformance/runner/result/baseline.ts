import { applies } from '../../catalogue/routes/operations.ts'
import { maskVarying } from '../../report/diff/mask-varying.ts'
import { standingOf } from '../../report/diff/standing.ts'
import { reasonOf } from '../../report/outcomes.ts'
import type { CheckResult, ExpectedFailure, ScenarioResult } from '../../report/result.ts'
import { checkSentence } from '../../report/sentences.ts'
import type { Scenario } from '../../scenario.ts'
import { TESTED } from './needed-evidence.ts'

const EXPECTED = 'expected by the baseline'

type Run = Pick<ScenarioResult, 'id' | 'version'>

const nameOf = ({ id, version }: Run): string => `${id} ${version}`

/** Equal for the same failure of two runs: values that vary between runs are masked. */
function keyOf(failure: ExpectedFailure): string {
  const { scenario, version, requirement, what, cell, step, outcome } = failure
  const words = [requirement, what, cell, step, outcome].map((word) => word && maskVarying(word))
  return JSON.stringify([scenario, version, ...words.map((word) => word ?? null)])
}

function failureOf(run: Run, check: CheckResult): ExpectedFailure {
  const { requirement, what, cell } = check
  const place = { scenario: run.id, version: run.version }
  return { ...place, requirement, what, ...(cell === undefined ? {} : { cell }) }
}

/** What a scenario failed for, as a baseline names it: checks, a step, or only its outcome. */
export function failuresOf(result: ScenarioResult): readonly ExpectedFailure[] {
  const { id, version, outcome, checks, failed_step: step } = result
  if (outcome !== 'fail' && outcome !== 'hang') return []
  const place = { scenario: id, version }
  const broken = checks
    .filter((check) => standingOf(check) === 'broke')
    .map((check) => failureOf(result, check))
  if (outcome === 'hang') return [{ ...place, outcome }, ...broken]
  if (broken.length > 0) return broken
  if (step === undefined) return [{ ...place, outcome }]
  const { requirement, what } = step
  return [{ ...place, ...(requirement === undefined ? {} : { requirement }), step: what }]
}

/** The results with expected failures as `waived`, and those that these block. What was run is not changed. */
export function applyBaseline(
  results: readonly ScenarioResult[],
  entries: readonly ExpectedFailure[],
): readonly ScenarioResult[] {
  return results.map(expectations(entries, results))
}

/**
 * Marks one result after the other, in an order in which a scenario follows the one that blocks it; or any results that are
 * given as `earlier`.
 */
export function expectations(
  entries: readonly ExpectedFailure[],
  earlier: readonly ScenarioResult[] = [],
): (result: ScenarioResult) => ScenarioResult {
  const known = new Set(entries.map(keyOf))
  const expected = new Set<string>()
  const mark = (result: ScenarioResult): ScenarioResult => {
    const marked = expectFailures(result, known)
    if (marked.expected !== undefined) expected.add(nameOf(marked))
    return marked
  }
  earlier.forEach(mark)
  return (result) => {
    const { blocked_by: blocker, outcome } = result
    const isExpected = outcome === 'blocked' && blocker && expected.has(nameOf(blocker))
    return isExpected ? waived(result) : mark(result)
  }
}

function waived(result: ScenarioResult): ScenarioResult {
  const reason = `${EXPECTED}: ${reasonOf(result)}`
  return { ...result, outcome: 'waived', reason, expected: result.outcome }
}

function expectFailures(result: ScenarioResult, known: ReadonlySet<string>): ScenarioResult {
  const failures = failuresOf(result)
  const unexpected = failures.filter((one) => !known.has(keyOf(one)))
  if (failures.length === unexpected.length) return result
  const checks = result.checks.map((check) =>
    standingOf(check) === 'broke' && known.has(keyOf(failureOf(result, check)))
      ? { ...check, excused: EXPECTED }
      : check,
  )
  if (unexpected.length === 0) return { ...waived(result), checks }
  const first = checks.find((check) => standingOf(check) === 'broke')
  const isCheck = result.outcome === 'fail' && first !== undefined
  return { ...result, checks, ...(isCheck ? { reason: checkSentence(first) } : {}) }
}

/** The results as they were before {@link applyBaseline}. */
export function withoutBaseline(results: readonly ScenarioResult[]): readonly ScenarioResult[] {
  return results.map(({ expected, ...result }) => {
    const checks = result.checks.map(({ excused, ...check }) =>
      excused === undefined || excused === EXPECTED ? check : { ...check, excused },
    )
    if (expected === undefined) return { ...result, checks }
    const reason = result.reason?.slice(EXPECTED.length + 2)
    return { ...result, checks, outcome: expected, ...(reason === undefined ? {} : { reason }) }
  })
}

type Head = Pick<Scenario, 'id' | 'since' | 'until'>

/** Entries that name nothing, or whose failure did not happen although their scenario was judged: one sentence for each. */
export function staleEntries(
  entries: readonly ExpectedFailure[],
  results: readonly ScenarioResult[],
  scenarios: readonly Head[],
): readonly string[] {
  const byName = new Map(results.map((result) => [nameOf(result), result]))
  const heads = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const failures = new Set(results.flatMap(failuresOf).map(keyOf))
  return entries.flatMap((entry) => {
    const { scenario, version } = entry
    const says = `the baseline expects ${describeEntry(entry)} to fail`
    const head = heads.get(scenario)
    if (head === undefined) return [`${says}, and there is no such scenario`]
    if (!applies(head, version)) return [`${says}, which does not apply to API ${version}`]
    const result = byName.get(nameOf({ id: scenario, version }))
    if (result === undefined || !TESTED.has(result.outcome) || failures.has(keyOf(entry))) return []
    return [`${says}, and ${isMade(entry, result) ? 'it passes' : 'there is no such check'}`]
  })
}

/** Whether the scenario made the check that an entry names; a step or an outcome is not recorded if it is good. */
function isMade(entry: ExpectedFailure, result: ScenarioResult): boolean {
  if (entry.what === undefined) return true
  return result.checks.some((check) => keyOf(failureOf(result, check)) === keyOf(entry))
}

function describeEntry({ scenario, version, ...entry }: ExpectedFailure): string {
  const { requirement, what, step, cell, outcome } = entry
  const words = [requirement, what, step && `the step ${step}`, cell && `(cell ${cell})`, outcome]
  return `${scenario} ${version}: ${words.filter((word) => word !== undefined).join(' ')}`
}

/** The baseline after a run: the failures of what the run judged, and the entries for other scenarios. */
export function nextBaseline(
  entries: readonly ExpectedFailure[],
  results: readonly ScenarioResult[],
  scenarios: readonly Head[],
): readonly ExpectedFailure[] {
  const judged = new Set(results.filter(({ outcome }) => TESTED.has(outcome)).map(nameOf))
  const heads = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const kept = entries.filter(({ scenario, version }) => {
    const head = heads.get(scenario)
    return head && applies(head, version) && !judged.has(nameOf({ id: scenario, version }))
  })
  const all = [...kept, ...results.flatMap(failuresOf)].map((one) => [keyOf(one), one] as const)
  return [...new Map(all)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, one]) => one)
}
