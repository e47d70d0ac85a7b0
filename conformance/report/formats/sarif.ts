import { createHash } from 'node:crypto'
import { brokenChecks, exemptionOf, type Standing, standingOf } from '../diff/standing.ts'
import { OUTCOME_ROWS, reasonOf } from '../outcomes.ts'
import { cellCommand } from '../red-cells.ts'
import type { RequirementResult } from '../requirement-result.ts'
import type { CheckResult, RunResult, ScenarioResult } from '../result.ts'
import { checkSentence, stepSentence } from '../sentences.ts'
import { visible } from '../visible.ts'

/** The parts of SARIF 2.1.0 that a result uses. */
interface Message {
  readonly text: string
}

interface Rule {
  readonly id: string
  readonly shortDescription: Message
  readonly help: Message
  readonly properties?: Readonly<Record<string, unknown>>
}

/** A failure before it has its place in the log. */
interface Finding {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly says: string
  readonly repeat: string
  /** What identifies it within its scenario. */
  readonly key: readonly string[]
  /** Why it does not count. */
  readonly excused?: string | undefined
}

/** Rules for failures that violate no single requirement. */
const OWN_RULES: readonly (readonly [id: string, says: string])[] = [
  ['ASSAY-STEP', 'A step that a scenario needs succeeds.'],
  ['ASSAY-HANG', 'The subject answers before the deadline of a scenario.'],
  ['ASSAY-BLOCKED', 'A scenario is judged: its passing twin passes.'],
]

const LEVELS: Readonly<Record<Exclude<Standing, 'held'>, Finding['level']>> = {
  broke: 'error',
  excused: 'error',
  warned: 'warning',
}

const ofCheck = (scenario: ScenarioResult, check: CheckResult): Finding => {
  const standing = standingOf(check)
  return {
    rule: check.requirement,
    level: standing === 'held' ? 'note' : LEVELS[standing],
    says: checkSentence(check),
    repeat: check.cell === undefined ? scenario.repeat : cellCommand(scenario, check.cell),
    key: [check.what, check.cell ?? ''],
    excused: standing === 'excused' ? exemptionOf(check) : undefined,
  }
}

/** A scenario that failed otherwise than by a check. */
const ofScenario = (scenario: ScenarioResult): Finding | undefined => {
  const { failed_step: step, expected, repeat } = scenario
  const outcome = expected ?? scenario.outcome
  const says = reasonOf(scenario)
  const rest = { says, repeat, excused: expected === undefined ? undefined : says }
  if (step !== undefined) {
    const rule = step.requirement ?? 'ASSAY-STEP'
    return { ...rest, rule, level: 'error', says: stepSentence(step), key: [step.what] }
  }
  if (outcome === 'hang') return { ...rest, rule: 'ASSAY-HANG', level: 'error', key: [] }
  if (outcome === 'blocked') return { ...rest, rule: 'ASSAY-BLOCKED', level: 'note', key: [] }
  const standing = expected === undefined ? 'broke' : 'excused'
  const isExplained = scenario.checks.some((check) => standingOf(check) === standing)
  return outcome === 'fail' && !isExplained
    ? { ...rest, rule: 'ASSAY-STEP', level: 'error', key: [] }
    : undefined
}

const findingsOf = (scenario: ScenarioResult): readonly Finding[] => {
  const own = ofScenario(scenario)
  return [
    ...(own === undefined ? [] : [own]),
    ...brokenChecks(scenario.checks).map((check) => ofCheck(scenario, check)),
  ]
}

/** The same for the same check of later runs; equal checks of a scenario are counted. */
const fingerprints = ({ id, version }: ScenarioResult) => {
  const seen = new Map<string, number>()
  return ({ rule, key }: Finding): string => {
    const text = JSON.stringify([id, version, rule, ...key])
    const count = seen.get(text) ?? 0
    seen.set(text, count + 1)
    return createHash('sha256').update(`${text} ${count}`).digest('hex')
  }
}

const locationOf = ({ id, version, source }: ScenarioResult) => ({
  ...(source === undefined
    ? {}
    : { physicalLocation: { artifactLocation: { uri: source, uriBaseId: '%SRCROOT%' } } }),
  logicalLocations: [{ fullyQualifiedName: `${id} ${version}`, kind: 'function' }],
})

const resultsOf = (scenario: ScenarioResult) => {
  const fingerprintOf = fingerprints(scenario)
  return findingsOf(scenario).map((finding) => ({
    ruleId: finding.rule,
    level: finding.level,
    message: {
      text: visible(
        `${scenario.title} (API ${scenario.version}): ${finding.says}\n${finding.repeat}`,
      ),
    },
    locations: [locationOf(scenario)],
    partialFingerprints: { 'assayCheck/v1': fingerprintOf(finding) },
    ...(finding.excused === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: visible(finding.excused) }] }),
  }))
}

/** The clause that a rule comes from, in words. */
const clauseOf = ({ component, versions, lines, strength, fixed_by: source }: RequirementResult) =>
  `Interface document, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}: ${component}, API ${versions}, ${strength}${source === undefined ? '' : ` by ${source}`}.`

const ruleOf = (row: RequirementResult): Rule => ({
  id: row.id,
  shortDescription: { text: row.says },
  help: { text: `${row.says}\n${clauseOf(row)}` },
  properties: { tags: [row.component, ...(row.security === true ? ['security'] : [])] },
})

const rulesOf = ({ requirements }: RunResult): readonly Rule[] => [
  ...requirements.map(ruleOf),
  ...OWN_RULES.map(([id, text]) => ({ id, shortDescription: { text }, help: { text } })),
]

/** What is wrong with the run as a whole, and what it lacks. */
const notificationsOf = ({ complaints, scenarios, scope, exit_code }: RunResult) => {
  const faults = scenarios
    .filter(({ outcome }) => outcome === 'harness-fault')
    .map((one) => `${one.id} ${one.version}: ${OUTCOME_ROWS[one.outcome].means}: ${reasonOf(one)}`)
  const missing = scope?.missing ?? []
  return [
    ...[...complaints, ...faults].map((text) => ({ level: 'error', text })),
    ...missing.map((text) => ({ level: exit_code === 2 ? 'error' : 'note', text })),
  ].map(({ level, text }) => ({ level, message: { text: visible(text) } }))
}

/**
 * The text of `result.sarif`, SARIF 2.1.0: a rule for each requirement, and a result for each check that did not hold, at the
 * file of its scenario. What is excused is suppressed, and a scenario that is blocked is a note.
 */
export const sarifOf = (result: RunResult): string => {
  const { assay_version: version, started_at, finished_at, exit_code, verdict, seed } = result
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Assay', semanticVersion: version, rules: rulesOf(result) } },
        automationDetails: { id: `assay/${encodeURIComponent(result.target.name)}/` },
        invocations: [
          {
            executionSuccessful: exit_code !== 2,
            exitCode: exit_code,
            exitCodeDescription: verdict,
            startTimeUtc: started_at,
            endTimeUtc: finished_at,
            toolExecutionNotifications: notificationsOf(result),
          },
        ],
        results: result.scenarios.flatMap(resultsOf),
        properties: { seed },
      },
    ],
  }
  return `${JSON.stringify(log, null, 1)}\n`
}
