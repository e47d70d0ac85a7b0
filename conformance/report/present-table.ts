import { isAbsolute, relative } from 'node:path'
import Table from 'cli-table3'
import type { createColors } from 'picocolors'
import { notPassed, OUTCOME_ROWS, reasonOf, shownOutcomes, sumOf } from './outcomes.ts'
import { causeHead, causesTitle, causeTail, withoutRepeated } from './present-causes.ts'
import { cellCommand, cellName, redCells } from './red-cells.ts'
import type { ReportPaths } from './report-paths.ts'
import type { MatrixResult } from './requirement-result.ts'
import { type Outcome, ROLES, type RunResult, type ScenarioResult } from './result.ts'
import { counted, shortLine, thousands, visibleLine } from './visible.ts'

/** The colour functions of picocolors; without colour each returns its text unchanged. */
export type Colours = ReturnType<typeof createColors>

const LONGEST_REASON = 400

/** Text in the colour of an outcome. */
export const paint = (colours: Colours, outcome: Outcome, text: string): string => {
  if (outcome === 'pass') return colours.green(text)
  return OUTCOME_ROWS[outcome].tally === 'failed' ? colours.red(text) : colours.yellow(text)
}

const countOf = (scenarios: readonly ScenarioResult[], outcome: Outcome): number =>
  scenarios.filter((one) => one.outcome === outcome).length

const countCell = (colours: Colours, outcome: Outcome, count: number): string =>
  count === 0 ? colours.dim('0') : paint(colours, outcome, String(count))

/** Counts by role and outcome; an outcome that did not occur has no column, except pass and fail. */
export const presentTable = (result: RunResult, colours: Colours): string => {
  const shown = shownOutcomes(result)
  const table = new Table({
    head: ['role', ...shown.map((outcome) => OUTCOME_ROWS[outcome].short)],
    colAligns: ['left', ...shown.map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  })
  const push = (name: string, scenarios: readonly ScenarioResult[]): number =>
    table.push([
      name,
      ...shown.map((outcome) => countCell(colours, outcome, countOf(scenarios, outcome))),
    ])
  for (const role of ROLES) {
    const own = result.scenarios.filter((one) => one.role === role)
    if (own.length > 0) push(role, own)
  }
  push('all', result.scenarios)
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

/**
 * Every outcome except pass, with its reason, most urgent first. Of many failures with one cause the first ones are
 * shown.
 */
export const presentNotPassed = (result: RunResult, colours: Colours): readonly string[] => {
  const rest = notPassed(result.scenarios)
  if (rest.length === 0) return []
  const shown = withoutRepeated(rest, result)
  const left = rest.length - shown.length
  return [
    '',
    'other than pass',
    ...shown.flatMap((one) => notPassedLines(colours, one)),
    ...(left === 0
      ? []
      : [`  and ${thousands(left)} more with a cause below; report.html has all`]),
  ]
}

const MOST_CAUSES = 20

/** The causes of the failures, first in time first; empty without a failure. */
export const presentCauses = (result: RunResult, colours: Colours): readonly string[] => {
  const title = causesTitle(result)
  if (title === undefined) return []
  const left = result.causes.length - MOST_CAUSES
  return [
    '',
    colours.bold(title),
    ...result.causes
      .slice(0, MOST_CAUSES)
      .map(
        (cause, at) =>
          `${String(at + 1).padStart(4)}  ${shortLine(`${causeHead(cause)}: ${cause.says}`, LONGEST_REASON)} (${visibleLine(causeTail(cause))})`,
      ),
    ...(left > 0 ? [`      and ${counted(left, 'more cause')}; report.html has all`] : []),
  ]
}

/** A path below the directory becomes relative; any other would start with `..` and stays. */
const pathFrom = (cwd: string, path: string): string => {
  const shorter = isAbsolute(path) ? relative(cwd, path) || '.' : path
  return shorter.startsWith('..') ? path : shorter
}

const label = (name: string): string => name.padEnd(13)

const verdictLine = (result: RunResult, colours: Colours): string => {
  const words = (result.exit_code === 0 ? colours.green : colours.red)(result.verdict)
  const covered = result.scope === undefined ? '' : `: ${result.scope.text}`
  return `${label('verdict')}${words}${covered} (exit code ${result.exit_code})`
}

/** The baseline that the verdict refers to. */
const baselineLines = ({ baseline, scenarios }: RunResult): readonly string[] => {
  if (baseline === undefined) return []
  const failed = scenarios.filter(({ expected }) => expected !== undefined).length
  const count = counted(baseline.entries.length, 'expected failure')
  return labelled('baseline', [
    `${visibleLine(baseline.file)}: ${count}, ${counted(failed, 'scenario')} waived for them`,
  ])
}

/** Why there is no verdict on the verifier. */
const missingLines = ({ scope }: RunResult, colours: Colours): readonly string[] =>
  labelled(
    'missing',
    (scope?.missing ?? []).map((sentence) => colours.yellow(visibleLine(sentence))),
  )

/** Lines under one label, which precedes the first. */
const labelled = (name: string, lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => `${label(at === 0 ? name : '')}${line}`)

const complaintLines = ({ complaints }: RunResult, colours: Colours): readonly string[] =>
  labelled(
    'complaints',
    complaints.map((complaint) => colours.red(shortLine(complaint, LONGEST_REASON))),
  )

/** Executed cells of defined cells; failed cells are listed with the scenarios. */
const matrixLine = ({ name, defined, executed, red }: MatrixResult): string =>
  `${name}: ${executed} of ${defined} cells executed, ${red.length} did not hold`

const MOST_CELLS = 20

/** The red cells as `--only` takes them, and the command that repeats the first one alone. */
const redCellLines = (result: RunResult, colours: Colours): readonly string[] => {
  const cells = redCells(result)
  const [first] = cells
  if (first === undefined) return []
  const left = cells.length - MOST_CELLS
  const { scenario, cell } = first
  return [
    ...labelled('red cells', [
      ...cells
        .slice(0, MOST_CELLS)
        .map((one) => colours.red(visibleLine(cellName(one.scenario.id, one.cell)))),
      ...(left > 0 ? [`and ${counted(left, 'more cell')}; report.html names all`] : []),
    ]),
    ...labelled('one cell', [visibleLine(cellCommand(scenario, cell))]),
  ]
}

/** Whether the run can be certified; complaints and missing checks are listed above and not repeated. */
const certificateLine = ({ certification, complaints, scope }: RunResult): string => {
  const { possible, because, covers } = certification
  if (possible) return `${label('certificate')}possible${covers ? ` for ${covers}` : ''}`
  const above = [...complaints, ...(scope?.missing ?? [])]
  const others = because.filter((reason) => !above.includes(reason))
  const reasons = [
    ...(complaints.length > 0 ? ['the complaints above'] : []),
    ...(above.length > complaints.length ? ['the missing checks above'] : []),
    ...others,
  ]
  return `${label('certificate')}not possible: ${shortLine(reasons.join('; '), LONGEST_REASON)}`
}

/** The command that repeats the most urgent failure. */
const nextLines = (result: RunResult, colours: Colours): readonly string[] => {
  const [first] = notPassed(result.scenarios).filter(
    ({ outcome }) => OUTCOME_ROWS[outcome].tally === 'failed',
  )
  return first === undefined ? [] : labelled('next', [colours.bold(visibleLine(first.repeat))])
}

/** The verdict and what made it so. */
export const presentVerdict = (result: RunResult, colours: Colours): readonly string[] => [
  verdictLine(result, colours),
  ...baselineLines(result),
  ...(result.exit_code === 2 ? missingLines(result, colours) : []),
  ...complaintLines(result, colours),
]

/** Verdict, complaints, certification, seed, the written files relative to `cwd`, and the next command. */
export const presentClosing = (
  result: RunResult,
  paths: ReportPaths,
  colours: Colours,
  cwd: string,
): readonly string[] => [
  '',
  verdictLine(result, colours),
  ...baselineLines(result),
  ...missingLines(result, colours),
  ...complaintLines(result, colours),
  ...labelled('matrices', result.matrices.map(matrixLine)),
  ...redCellLines(result, colours),
  certificateLine(result),
  ...labelled('seed', [visibleLine(result.seed)]),
  ...labelled(
    'reports',
    paths.map((path) => pathFrom(cwd, path)),
  ),
  ...nextLines(result, colours),
]

/** Outcomes that are in the summary line only if they occurred. */
const SELDOM: readonly Outcome[] = ['not-applicable', 'observed', 'waived']

/**
 * The one line for programs: `scenarios: 31 passed, 0 failed, 2 skipped, 1 observed`. Blocked, hang and harness fault
 * count as failed, warning as passed; skipped are those that an option left out. Never coloured.
 */
export const summaryLine = ({ totals }: RunResult): string => {
  const seldom = SELDOM.filter((outcome) => totals[outcome] > 0)
  const counts = [
    `${sumOf(totals, 'passed')} passed`,
    `${sumOf(totals, 'failed')} failed`,
    ...(['skipped', ...seldom] as const).map(
      (outcome) => `${totals[outcome]} ${OUTCOME_ROWS[outcome].word}`,
    ),
  ]
  return `scenarios: ${counts.join(', ')}`
}
