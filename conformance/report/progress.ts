import picocolors from 'picocolors'
import { type LiveOptions, openLiveLines } from './console/live-lines.ts'
import { type PlannedScenario, trackRun } from './console/run-situation.ts'
import { brokenChecks, exemptionOf, standingOf } from './diff/standing.ts'
import { OUTCOME_ROWS, reasonOf } from './outcomes.ts'
import {
  type Colours,
  paint,
  presentCauses,
  presentClosing,
  presentNotPassed,
  presentTable,
  presentVerdict,
  summaryLine,
} from './present-table.ts'
import { cellCommand } from './red-cells.ts'
import type { ReportPaths } from './report-paths.ts'
import type { CheckResult, RunResult, ScenarioResult, SetupStep } from './result.ts'
import { counted, cutAt, duration, shortLine, visibleLine } from './visible.ts'

/** How much is printed while a run goes on: a line for each scenario, how far it is and what failed, or what failed alone. */
export type Detail = 'every' | 'counts' | 'quiet'

export interface ProgressOptions extends LiveOptions {
  readonly colour: boolean
  /** The printed report paths are relative to this directory. */
  readonly cwd?: string
  readonly detail?: Detail
  /** The clock in milliseconds. */
  readonly now?: () => number
}

/** What is known of a run before it sets anything up. */
export interface RunFacts {
  readonly assay_version: string
  readonly target: string
  readonly seed: string
  /** Number of scenarios of the plan, each version counted. */
  readonly scenarios: number
}

/** Reports the progress of a run. */
export interface Progress {
  /** Called before the set-up. */
  started(facts: RunFacts): void
  /** Called before the first scenario. */
  began(plan: readonly PlannedScenario[]): void
  setup(step: SetupStep): void
  finished(scenario: ScenarioResult): void
  closing(result: RunResult, paths: ReportPaths): void
  /** Called when a signal ends the run; results of what had finished, and the closing, may follow. */
  interrupted(): void
  /** Called if the run ends without a result. */
  failed(error: Error): void
}

const LONGEST_VALUE = 600
const INDENT = '      '

/** Why a failed check does not count, on its own line. */
const exemptionLines = (check: CheckResult, colours: Colours): readonly string[] => {
  const why = exemptionOf(check)
  if (why === undefined) return []
  const word = standingOf(check) === 'excused' ? 'excused' : 'warning'
  return [`${INDENT}  ${colours.yellow(word)}   ${shortLine(why, LONGEST_VALUE)}`]
}

/** The cell of a matrix and the command that repeats it alone. */
const cellLines = (scenario: ScenarioResult, { cell }: CheckResult): readonly string[] =>
  cell === undefined
    ? []
    : [
        `${INDENT}  cell      ${visibleLine(cell)}`,
        `${INDENT}  alone     ${visibleLine(cellCommand(scenario, cell))}`,
      ]

const checkLines = (
  scenario: ScenarioResult,
  check: CheckResult,
  colours: Colours,
): readonly string[] => [
  `${INDENT}${visibleLine(check.what)}  ${colours.dim(visibleLine(check.requirement))}`,
  `${INDENT}  expected  ${shortLine(check.expected, LONGEST_VALUE)}`,
  `${INDENT}  received  ${colours.bold(shortLine(check.received, LONGEST_VALUE))}`,
  ...exemptionLines(check, colours),
  ...cellLines(scenario, check),
]

const reasonLine = (scenario: ScenarioResult): string =>
  `${INDENT}${shortLine(reasonOf(scenario), LONGEST_VALUE)}`

/**
 * The details printed for any outcome except pass: expected and received values, requirement, excuse, and after a
 * failure the command that repeats it.
 */
const explanationLines = (scenario: ScenarioResult, colours: Colours): readonly string[] => {
  const broken = brokenChecks(scenario.checks)
  const { tally } = OUTCOME_ROWS[scenario.outcome]
  if (tally === 'failed') {
    const why = broken.length > 0 ? [] : [reasonLine(scenario)]
    const checks = broken.flatMap((check) => checkLines(scenario, check, colours))
    return [...why, ...checks, `${INDENT}repeat    ${visibleLine(scenario.repeat)}`]
  }
  if (broken.length > 0) return broken.flatMap((check) => checkLines(scenario, check, colours))
  return tally === 'skipped' ? [colours.dim(reasonLine(scenario))] : []
}

const fitted = (title: string, width: number): string => {
  if (title.length <= width) return title
  return width < 8 ? '' : `${cutAt(title, width - 1)}…`
}

interface Layout {
  readonly colours: Colours
  readonly width: number
  readonly widestId: number
}

const scenarioLine = (scenario: ScenarioResult, { colours, width, widestId }: Layout): string => {
  const mark = OUTCOME_ROWS[scenario.outcome].mark.padEnd(4)
  const id = visibleLine(scenario.id).padEnd(widestId - (mark.length - 4))
  const time = duration(scenario.ms)
  const taken = [mark, id, scenario.version, time].join('  ').length + 2
  const title = fitted(visibleLine(scenario.title), width - taken)
  const painted = paint(colours, scenario.outcome, mark)
  return `${painted}  ${id}  ${scenario.version}  ${title}  ${colours.dim(time)}`
}

const scenarioLines = (scenario: ScenarioResult, layout: Layout): readonly string[] => [
  scenarioLine(scenario, layout),
  ...explanationLines(scenario, layout.colours),
]

const setupLine = (step: SetupStep, colours: Colours): string => {
  const state = step.ok ? colours.green('ok    ') : colours.red('failed')
  return `setup  ${state}  ${visibleLine(step.what)}: ${visibleLine(step.detail)}  ${colours.dim(duration(step.ms))}`
}

/** Colour is for terminals, unless NO_COLOR has a value or the terminal is `dumb`. */
export const wantsColour = (
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): boolean =>
  stream.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb'

const isFailed = ({ outcome }: ScenarioResult): boolean => OUTCOME_ROWS[outcome].tally === 'failed'

/** The progress with what failed, and the verdict, alone. */
const quietly = (all: Progress, verdict: (result: RunResult) => void): Progress => ({
  ...all,
  began: () => undefined,
  setup: (step) => {
    if (!step.ok) all.setup(step)
  },
  finished: (scenario) => {
    if (isFailed(scenario)) all.finished(scenario)
  },
  closing: verdict,
})

type Print = (...lines: readonly string[]) => void

/** The progress with a line for each step of the set-up and for each scenario. */
const inFull = (options: ProgressOptions, colours: Colours, print: Print): Progress => {
  const { stream, cwd = process.cwd() } = options
  const width = stream.columns || Number.POSITIVE_INFINITY
  let widestId = 0
  return {
    started: () => undefined,
    interrupted: () => undefined,
    failed: () => undefined,
    began: (plan) => {
      widestId = Math.max(0, ...plan.map(({ id }) => id.length))
      print('', `running ${counted(plan.length, 'scenario')}`, '')
    },
    setup: (step) => print(setupLine(step, colours)),
    finished: (scenario) => print(...scenarioLines(scenario, { colours, width, widestId })),
    closing: (result, paths) =>
      print(
        '',
        presentTable(result, colours),
        ...presentNotPassed(result, colours),
        ...presentCauses(result, colours),
        ...presentClosing(result, paths, colours, cwd),
        '',
        summaryLine(result),
      ),
  }
}

/** The progress with what is tested, how far the run is, and what failed. */
const inCounts = (options: ProgressOptions, colours: Colours): Progress => {
  const run = trackRun(options.now ?? (() => performance.now()), colours)
  const live = openLiveLines(options, run)
  const all = inFull(options, colours, live.print)
  return {
    ...all,
    began: (plan) => run.began(plan),
    setup: (step) => {
      run.setup(step.what)
      if (!step.ok || step.what === 'target') all.setup(step)
    },
    finished: (scenario) => {
      run.finished(scenario)
      if (isFailed(scenario)) all.finished(scenario)
    },
    closing: (result, paths) => {
      live.close()
      all.closing(result, paths)
    },
    interrupted: live.leave,
    failed: live.close,
  }
}

/** Makes the progress of one run. Received text reaches the stream only escaped. */
export const createProgress = (options: ProgressOptions): Progress => {
  const colours = picocolors.createColors(options.colour)
  if (options.detail === 'counts') return inCounts(options, colours)
  const print: Print = (...lines) => void options.stream.write(`${lines.join('\n')}\n`)
  const all = inFull(options, colours, print)
  return options.detail === 'quiet'
    ? quietly(all, (result) => print(...presentVerdict(result, colours)))
    : all
}
