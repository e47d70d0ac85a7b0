import Table from 'cli-table3'
import { presentDuration } from '../../conformance/input/duration.ts'
import { CLASSES, type Counts, presentCounts } from './counts.ts'
import type { Outcome, TestResult } from './run-tests.ts'

const WORDS = { agree: 'agree', differ: 'DIFFER', fault: 'NO VERDICT' } as const

function presentDetails(details: string | Counts): string {
  return typeof details === 'string' ? details : presentCounts(details)
}

function detailOf(outcome: Outcome): string {
  if (outcome.kind === 'agree') return presentDetails(outcome.details)
  if (outcome.kind === 'fault') return outcome.reason
  const { what, expected, received } = outcome.disagreement
  return `${what}: expected ${expected}, received ${received}`
}

/** The result of one test, in two lines. */
export function presentTestResult({ interopTest, outcome, ms }: TestResult): string {
  const time = presentDuration(Math.round(ms))
  return `  ${interopTest.id}  ${WORDS[outcome.kind]}  ${time}\n    ${detailOf(outcome)}`
}

/** A table of all results and the totals, without times, so that two runs with the same results print the same text. */
export function presentResults(all: readonly TestResult[]): string {
  const table = new Table({
    head: ['test', 'outcome', 'expected'],
    style: { head: [], border: [] },
  })
  for (const { interopTest, outcome } of all)
    table.push([interopTest.id, WORDS[outcome.kind], interopTest.title])
  const count = (kind: Outcome['kind']) => all.filter(({ outcome }) => outcome.kind === kind).length
  const totals = `${count('agree')} agree, ${count('differ')} differ, ${count('fault')} without a verdict`
  return [table.toString(), ...presentSuites(all), totals].join('\n')
}

/** The results of one release, such as `7.14.3`. */
export interface ReleaseResults {
  readonly release: string
  readonly results: readonly TestResult[]
}

/** A table of several releases: a row for each test, a column for each release. */
export function presentReleases(all: readonly ReleaseResults[]): string {
  const table = new Table({
    head: ['test', ...all.map(({ release }) => release)],
    style: { head: [], border: [] },
  })
  const [first] = all
  for (const [at, { interopTest }] of (first?.results ?? []).entries())
    table.push([interopTest.id, ...all.map(({ results }) => cellOf(results[at]?.outcome))])
  return table.toString()
}

function cellOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return ''
  const isSuite = outcome.kind === 'agree' && typeof outcome.details !== 'string'
  return isSuite ? `agree: ${presentDetails(outcome.details)}` : WORDS[outcome.kind]
}

/** A table of the suites' outcomes by class; empty if no suite ran. */
function presentSuites(all: readonly TestResult[]): readonly string[] {
  const table = new Table({
    head: ['scenarios', ...CLASSES],
    style: { head: [], border: [] },
    colAligns: ['left', ...CLASSES.map(() => 'right' as const)],
  })
  for (const { interopTest, outcome } of all) {
    if (outcome.kind !== 'agree' || typeof outcome.details === 'string') continue
    const { details } = outcome
    table.push([interopTest.id, ...CLASSES.map((one) => String(details[one]))])
  }
  return table.length === 0 ? [] : [table.toString()]
}

/** 0 if all tests agree, 1 if one differs, 2 if one could not run. */
export function exitCodeOf(all: readonly TestResult[]): 0 | 1 | 2 {
  if (all.some(({ outcome }) => outcome.kind === 'fault')) return 2
  return all.some(({ outcome }) => outcome.kind === 'differ') ? 1 : 0
}
