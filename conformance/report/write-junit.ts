import { brokenChecks, exemptionOf } from './diff/standing.ts'
import {
  type Case,
  element,
  isRed,
  type Kind,
  presentJunit,
  type Suite,
  seconds,
  xmlText,
} from './junit-xml.ts'
import { compareVersions, OUTCOME_ROWS, reasonOf } from './outcomes.ts'
import { causeFinder, presentCause } from './present-causes.ts'
import { cellCommand } from './red-cells.ts'
import type { RunResult, ScenarioResult, SetupStep } from './result.ts'

type NamedCases = Pick<Suite, 'name' | 'cases'>

const kindOf = (scenario: ScenarioResult): Kind => {
  if (scenario.outcome === 'harness-fault') return 'error'
  const { tally } = OUTCOME_ROWS[scenario.outcome]
  if (tally === 'passed') return 'passed'
  return tally === 'skipped' ? 'skipped' : 'failure'
}

const failedChecks = (scenario: ScenarioResult): readonly string[] =>
  brokenChecks(scenario.checks).flatMap((check) => {
    const exemption = exemptionOf(check)
    return [
      `${check.requirement}  ${check.what}`,
      `  expected  ${check.expected}`,
      `  received  ${check.received}`,
      ...(check.cell === undefined
        ? []
        : [`  cell  ${check.cell}`, `  alone  ${cellCommand(scenario, check.cell)}`]),
      ...(exemption === undefined ? [] : [`  does not count  ${exemption}`]),
    ]
  })

/** The cause of a failure that other scenarios share. */
type CauseOf = ReturnType<typeof causeFinder>

const causeLines = (scenario: ScenarioResult, causeOf: CauseOf): readonly string[] => {
  const found = causeOf(scenario)
  if (found === undefined) return []
  return [`cause ${found.number}  ${presentCause(found.cause)}`]
}

const explanation = (scenario: ScenarioResult, causeOf: CauseOf): string =>
  [
    reasonOf(scenario),
    ...failedChecks(scenario),
    ...causeLines(scenario, causeOf),
    `requirements  ${scenario.requirements.join(' ')}`,
    `repeat  ${scenario.repeat}`,
  ].join('\n')

/** JUnit has no element for a warning, so it is a pass with output. */
const verdictOf = (scenario: ScenarioResult, kind: Kind, causeOf: CauseOf): readonly string[] => {
  const message = reasonOf(scenario)
  const { word } = OUTCOME_ROWS[scenario.outcome]
  if (kind === 'passed') {
    if (scenario.outcome === 'pass') return []
    return [element('system-out', {}, [xmlText(`${word}: ${explanation(scenario, causeOf)}`)])]
  }
  if (kind === 'skipped') return [element('skipped', { message: `${word}: ${message}` }, [])]
  return [
    element(kind, { message, type: scenario.outcome }, [xmlText(explanation(scenario, causeOf))]),
  ]
}

/** Dots would be read as package separators, so the version is written with a hyphen: `assay.verifier.v3-0`. */
const classOf = (role: string, version: string): string =>
  `assay.${role}.v${version.replaceAll('.', '-')}`

const scenarioCase = (scenario: ScenarioResult, causeOf: CauseOf): Case => {
  const kind = kindOf(scenario)
  const attributes = {
    classname: classOf(scenario.role, scenario.version),
    name: `${scenario.id}: ${scenario.title}`,
    time: seconds(scenario.ms),
  }
  const xml = element('testcase', attributes, verdictOf(scenario, kind, causeOf))
  return { kind, ms: scenario.ms, xml }
}

const setupCase = (step: SetupStep): Case => ({
  kind: step.ok ? 'passed' : 'error',
  ms: step.ms,
  xml: element(
    'testcase',
    { classname: 'assay.setup', name: step.what, time: seconds(step.ms) },
    step.ok ? [] : [element('error', { message: step.detail, type: 'setup' }, [])],
  ),
})

/** Complaints about the run as one testcase, so that a dashboard that counts testcases is red. */
const complaintCases = ({ complaints }: RunResult): readonly Case[] => {
  const [message] = complaints
  if (message === undefined) return []
  const failure = element('failure', { message, type: 'complaint' }, [
    xmlText(complaints.join('\n')),
  ])
  const attributes = { classname: 'assay.run', name: 'complaint', time: '0.000' }
  return [{ kind: 'failure', ms: 0, xml: element('testcase', attributes, [failure]) }]
}

const verdictMessage = ({ verdict, scope }: RunResult): string =>
  [`verdict: ${verdict}`, ...(scope?.missing ?? [])].join('; ')

/** A run without a verdict must not be green only because it has no failure. */
const verdictCase = (result: RunResult): Case => ({
  kind: 'error',
  ms: 0,
  xml: element('testcase', { classname: 'assay.verdict', name: 'verdict', time: '0.000' }, [
    element('error', { message: verdictMessage(result), type: 'verdict' }, []),
  ]),
})

const scenarioSuites = (result: RunResult): readonly NamedCases[] => {
  const suites = new Map<string, Case[]>()
  const causeOf = causeFinder(result)
  const ordered = result.scenarios.toSorted(
    (left, right) =>
      left.role.localeCompare(right.role) || compareVersions(left.version, right.version),
  )
  for (const scenario of ordered) {
    const name = `${scenario.role} ${scenario.version}`
    suites.set(name, [...(suites.get(name) ?? []), scenarioCase(scenario, causeOf)])
  }
  return [...suites].map(([name, cases]) => ({ name, cases }))
}

const suitesOf = (result: RunResult): readonly NamedCases[] => {
  const suites = [
    { name: 'setup', cases: result.setup.map(setupCase) },
    ...scenarioSuites(result),
    { name: 'run', cases: complaintCases(result) },
  ]
  const red = suites.some((suite) => suite.cases.some(({ kind }) => isRed(kind)))
  const verdict = { name: 'verdict', cases: [verdictCase(result)] }
  const all = red || result.exit_code === 0 ? suites : [...suites, verdict]
  return all.filter((suite) => suite.cases.length > 0)
}

/** Causes that are properties of each testsuite. */
const MOST_CAUSES = 10

const propertiesOf = (result: RunResult): Suite['properties'] => ({
  seed: result.seed,
  target: result.target.name,
  'assay.version': result.assay_version,
  'assay.schema': result.schema,
  'interface.sha256': result.interface_sha256,
  verdict: result.verdict,
  ...Object.fromEntries(
    result.causes
      .slice(0, MOST_CAUSES)
      .map((cause, at) => [`cause.${at + 1}`, presentCause(cause)]),
  ),
  ...(result.scope && { scope: result.scope.text }),
})

/**
 * The text of `junit.xml`: one testsuite per role and version, one testcase per scenario. `fail`, `hang`, `blocked`
 * and complaints about the run are failures, `harness-fault` and a failed setup step are errors, `warn` is a pass
 * with its reason, and `waived`, `observed` and scenarios that did not run are skipped.
 */
export const junitOf = (result: RunResult): string => {
  const of = { properties: propertiesOf(result), timestamp: result.started_at }
  const suites = suitesOf(result).map((suite) => ({ ...suite, ...of }))
  return presentJunit(`Assay: ${result.target.name}`, suites)
}
