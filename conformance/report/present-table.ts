import { isAbsolute, relative } from 'node:path'
import Table from 'cli-table3'
import type { createColors } from 'picocolors'
import { notPassed, OUTCOME_ROWS, reasonOf, sumOf } from './outcomes.ts'
import { OUTCOMES, type Outcome, type Role, type RunResult, type ScenarioResult } from './result.ts'
import { shortLine, visibleLine } from './visible.ts'
import type { ReportPaths } from './write-reports.ts'

/** The colour functions of picocolors; each returns its text unchanged when colour is off. */
export type Colours = ReturnType<typeof createColors>

const ROLES: readonly Role[] = ['registrar', 'verifier', 'agent']

const LONGEST_REASON = 400

/** Paints a text in the colour of an outcome. */
export const paint = (colours: Colours, outcome: Outcome, text: string): string => {
  const { tally } = OUTCOME_ROWS[outcome]
  if (tally === 'passed') return colours.green(text)
  return tally === 'failed' ? colours.red(text) : colours.yellow(text)
}

const countOf = (scenarios: readonly ScenarioResult[], outcome: Outcome): number =>
  scenarios.filter((one) => one.outcome === outcome).length

const countCell = (colours: Colours, outcome: Outcome, count: number): string =>
  count === 0 ? colours.dim('0') : paint(colours, outcome, String(count))

const rowOf = (colours: Colours, name: string, scenarios: readonly ScenarioResult[]): string[] => [
  name,
  ...OUTCOMES.map((outcome) => countCell(colours, outcome, countOf(scenarios, outcome))),
]

/** Counts by role and outcome. */
export const presentTable = (result: RunResult, colours: Colours): string => {
  const table = new Table({
    head: ['role', ...OUTCOMES.map((outcome) => OUTCOME_ROWS[outcome].short)],
    colAligns: ['left', ...OUTCOMES.map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  })
  for (const role of ROLES) {
    const own = result.scenarios.filter((one) => one.role === role)
    if (own.length > 0) table.push(rowOf(colours, role, own))
  }
  table.push(rowOf(colours, 'all', result.scenarios))
  return table.toString()
}

const notPassedLines = (colours: Colours, scenario: ScenarioResult): readonly string[] => {
  const { mark } = OUTCOME_ROWS[scenario.outcome]
  const name = visibleLine(`${scenario.id}  ${scenario.version}`)
  return [
    `  ${paint(colours, scenario.outcome, mark.padEnd(7))}  ${name}`,
    `           ${colours.dim(shortLine(reasonOf(scenario), LONGEST_REASON))}`,
  ]
}

/** Everything that did not pass, with its reason, most urgent first. */
export const presentNotPassed = (result: RunResult, colours: Colours): readonly string[] => {
  const rest = notPassed(result.scenarios)
  if (rest.length === 0) return []
  return ['', 'not passed', ...rest.flatMap((one) => notPassedLines(colours, one))]
}

const pathFrom = (cwd: string, path: string): string =>
  isAbsolute(path) ? relative(cwd, path) || '.' : path

const verdictLine = (result: RunResult, colours: Colours): string => {
  const good = result.verdict === 'conforms'
  const words = good ? colours.green(result.verdict) : colours.red(result.verdict)
  return `verdict   ${words} (exit code ${result.exit_code})`
}

/** The command to type after a failure: it repeats the most urgent one. */
const nextLines = (result: RunResult, colours: Colours): readonly string[] => {
  const [first] = notPassed(result.scenarios).filter(
    ({ outcome }) => OUTCOME_ROWS[outcome].tally === 'failed',
  )
  return first === undefined ? [] : [`next      ${colours.bold(visibleLine(first.repeat))}`]
}

/** Verdict, seed, the written files relative to `cwd`, and what to type next. */
export const presentClosing = (
  result: RunResult,
  paths: ReportPaths,
  colours: Colours,
  cwd: string,
): readonly string[] => [
  '',
  verdictLine(result, colours),
  `seed      ${visibleLine(result.seed)}`,
  ...[paths.html, paths.json, paths.junit].map(
    (path, at) => `${at === 0 ? 'reports   ' : '          '}${pathFrom(cwd, path)}`,
  ),
  ...nextLines(result, colours),
]

/**
 * The one line that programs may read: `scenarios: 31 passed, 0 failed, 2 skipped`. Blocked, hang and harness error
 * count as failed, not applicable as skipped. Never coloured.
 */
export const summaryLine = ({ totals }: RunResult): string =>
  `scenarios: ${sumOf(totals, 'passed')} passed, ${sumOf(totals, 'failed')} failed, ${sumOf(totals, 'skipped')} skipped`
