import { stringify } from 'yaml'
import { brokenChecks, exemptionOf } from '../diff/standing.ts'
import { OUTCOME_ROWS, reasonOf } from '../outcomes.ts'
import { cellCommand } from '../red-cells.ts'
import type { RunResult, ScenarioResult, SetupStep } from '../result.ts'
import { visible, visibleLine } from '../visible.ts'

interface TestPoint {
  readonly ok: boolean
  readonly says: string
  readonly directive?: string
  /** Members of the YAML block; absent: no block. */
  readonly diagnostics?: Readonly<Record<string, unknown>>
}

/** One line in which `#` starts no directive. */
const escaped = (text: string): string =>
  visibleLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#')

const checksOf = (scenario: ScenarioResult) =>
  brokenChecks(scenario.checks).map((check) => ({
    requirement: check.requirement,
    what: visible(check.what),
    expected: visible(check.expected),
    received: visible(check.received),
    ...(check.cell === undefined
      ? {}
      : { cell: visible(check.cell), alone: visible(cellCommand(scenario, check.cell)) }),
    ...(exemptionOf(check) === undefined
      ? {}
      : { does_not_count: visible(exemptionOf(check) ?? '') }),
  }))

const diagnosticsOf = (scenario: ScenarioResult): NonNullable<TestPoint['diagnostics']> => {
  const checks = checksOf(scenario)
  return {
    message: visible(reasonOf(scenario)),
    severity: OUTCOME_ROWS[scenario.outcome].tally === 'failed' ? 'fail' : 'comment',
    outcome: scenario.outcome,
    duration_ms: Math.round(scenario.ms),
    ...(scenario.source === undefined ? {} : { file: scenario.source }),
    ...(checks.length === 0 ? {} : { checks }),
    repeat: visible(scenario.repeat),
  }
}

/**
 * What is waived is a failure that is expected, which TAP calls TODO; what did not run or made no check is skipped.
 */
const pointOf = (scenario: ScenarioResult): TestPoint => {
  const { outcome, id, version, title } = scenario
  const { tally, word } = OUTCOME_ROWS[outcome]
  const says = `${scenario.role} ${version} ${id}: ${title}`
  if (outcome === 'pass') return { ok: true, says }
  const diagnostics = diagnosticsOf(scenario)
  const why = `${word}: ${reasonOf(scenario)}`
  if (outcome === 'waived') return { ok: false, says, directive: `TODO ${why}`, diagnostics }
  if (tally === 'skipped') return { ok: true, says, directive: `SKIP ${why}` }
  return { ok: tally === 'passed', says, diagnostics }
}

const setupPoint = ({ what, ok, detail }: SetupStep): TestPoint => ({
  ok,
  says: `setup: ${what}`,
  ...(ok ? {} : { diagnostics: { message: visible(detail) } }),
})

const isRed = ({ ok, directive }: TestPoint): boolean => !ok && directive === undefined

/** The points of a run. A run that is red as a whole has a point that says so, as not to look green. */
const pointsOf = (result: RunResult): readonly TestPoint[] => {
  const points = [
    ...result.setup.map(setupPoint),
    ...result.scenarios.map(pointOf),
    ...result.complaints.map((complaint) => ({ ok: false, says: `run: ${complaint}` })),
  ]
  const missing = result.scope?.missing ?? []
  const verdict = { ok: false, says: [`verdict: ${result.verdict}`, ...missing].join('; ') }
  return result.exit_code === 0 || points.some(isRed) ? points : [...points, verdict]
}

const blockOf = ({ diagnostics }: TestPoint): readonly string[] =>
  diagnostics === undefined
    ? []
    : [
        '  ---',
        ...stringify(diagnostics, { lineWidth: 0 })
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
        '  ...',
      ]

/** The text of `result.tap`, TAP 14: a test point for each step of the setup, scenario and complaint. */
export const tapOf = (result: RunResult): string => {
  const points = pointsOf(result)
  return [
    'TAP version 14',
    `# Assay ${result.assay_version}: ${visibleLine(result.target.name)}, seed ${result.seed}`,
    `1..${points.length}`,
    ...points.flatMap((point, at) => {
      const directive = point.directive === undefined ? '' : ` # ${escaped(point.directive)}`
      const line = `${point.ok ? 'ok' : 'not ok'} ${at + 1} - ${escaped(point.says)}${directive}`
      return [line, ...blockOf(point)]
    }),
    `# verdict: ${visibleLine(result.verdict)}`,
    '',
  ].join('\n')
}
