import { createHash } from 'node:crypto'
import picocolors from 'picocolors'
import { brokenChecks, type Standing, standingOf } from '../diff/standing.ts'
import { OUTCOME_ROWS, reasonOf } from '../outcomes.ts'
import type { CheckResult, Outcome, RunResult, ScenarioResult } from '../result.ts'
import { presentTranscript } from '../transcripts/present-transcript.ts'
import type { TranscriptEntry } from '../transcripts/transcript-entry.ts'
import type { Transcripts } from '../transcripts/transcripts.ts'
import { shortLine, visible, visibleLine } from '../visible.ts'

/** A file of the results directory. */
export interface AllureFile {
  readonly name: string
  readonly content: string
}

type Status = 'passed' | 'failed' | 'broken' | 'skipped'

interface Step {
  readonly name: string
  readonly status?: Status
  readonly statusDetails: { readonly message?: string }
  readonly stage: 'finished'
  readonly start: number
  readonly stop: number
  readonly steps: readonly Step[]
  readonly attachments: readonly []
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

/** A blocked scenario and a fault of the harness are no failures of the subject. */
const STATUSES: Readonly<Record<Outcome, Status>> = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  hang: 'failed',
  blocked: 'broken',
  'harness-fault': 'broken',
  observed: 'skipped',
  waived: 'skipped',
  skipped: 'skipped',
  'not-applicable': 'skipped',
}

const STEP_STATUSES: Readonly<Record<Standing, Status>> = {
  held: 'passed',
  warned: 'passed',
  excused: 'skipped',
  broke: 'failed',
}

const LONGEST = 300

const hashOf = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32)

/** The same for the same scenario in every run, so that a run replaces the files of the one before. */
const uuidOf = ({ id, version }: ScenarioResult): string =>
  hashOf('result', id, version).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const stepOf = (name: string, from: number, to: number, more: Partial<Step> = {}): Step => ({
  ...{ name: shortLine(name, LONGEST), statusDetails: {}, stage: 'finished' },
  ...{ start: from, stop: to, steps: [], attachments: [], parameters: [] },
  ...more,
})

const checkStep = (check: CheckResult, at: number): Step => {
  const { requirement, what, expected, received, ok, cell } = check
  const values = { expected, received, ...(cell === undefined ? {} : { cell }) }
  const message = `${what}: expected ${expected}, received ${received}`
  return stepOf(`${requirement}: ${what}`, at, at, {
    status: STEP_STATUSES[standingOf(check)],
    statusDetails: ok ? {} : { message: visible(message) },
    parameters: Object.entries(values).map(([name, value]) => ({ name, value: visible(value) })),
  })
}

const nameOfEntry = (entry: TranscriptEntry): string => {
  if (entry.lane === 'note') return entry.text
  if (entry.lane === 'tpm') return `${entry.machine}: ${entry.command}: ${entry.response_code}`
  const { method, url } = entry.request
  const answer = entry.response?.status ?? entry.failure ?? 'no answer'
  return `${entry.speaker}: ${method} ${url}: ${answer}`
}

/** The exchanges, TPM commands and notes with the checks that follow each; without a transcript the checks. */
const stepsOf = (
  { checks }: ScenarioResult,
  entries: readonly TranscriptEntry[],
  start: number,
): readonly Step[] => {
  const early = checks.filter(({ at }) => at < 0 || at >= entries.length)
  const steps = entries.map((entry, number) => {
    const from = start + Math.round(entry.at_ms)
    const to = from + (entry.lane === 'note' ? 0 : Math.round(entry.ms))
    const own = checks.filter(({ at }) => at === number)
    const isRed = own.some((check) => standingOf(check) === 'broke')
    return stepOf(nameOfEntry(entry), from, to, {
      status: isRed ? 'failed' : 'passed',
      steps: own.map((check) => checkStep(check, to)),
    })
  })
  return [...early.map((check) => checkStep(check, start)), ...steps]
}

const detailsOf = (scenario: ScenarioResult) => {
  if (scenario.outcome === 'pass') return {}
  const [first] = brokenChecks(scenario.checks)
  const { word } = OUTCOME_ROWS[scenario.outcome]
  return {
    message: visible(`${word}: ${reasonOf(scenario)}`),
    trace: visible(scenario.repeat),
    ...(first === undefined
      ? {}
      : { expected: visible(first.expected), actual: visible(first.received) }),
  }
}

const labelsOf = (run: RunResult, scenario: ScenarioResult) => {
  const red = brokenChecks(scenario.checks).map(({ requirement }) => requirement)
  const labels: readonly (readonly [string, string])[] = [
    ['parentSuite', run.target.name],
    ['suite', scenario.role],
    ['subSuite', `API ${scenario.version}`],
    ['framework', 'assay'],
    ...[...new Set(red)].map((requirement) => ['tag', requirement] as const),
  ]
  return labels.map(([name, value]) => ({ name, value: visibleLine(value) }))
}

const filesOf = (
  run: RunResult,
  scenario: ScenarioResult,
  transcripts: Transcripts,
): readonly AllureFile[] => {
  const { id, version, title, source, variant_of: twin, ms, outcome } = scenario
  const uuid = uuidOf(scenario)
  const start = Date.parse(scenario.started_at ?? run.started_at)
  const transcript = transcripts.of(scenario)
  const text = `${uuid}-attachment.txt`
  const result = {
    ...{ uuid, historyId: hashOf(id, version), testCaseId: hashOf(id) },
    name: visibleLine(title),
    fullName: source === undefined ? id : `${source}: ${id}`,
    ...{ stage: 'finished', status: STATUSES[outcome], statusDetails: detailsOf(scenario) },
    ...{ start, stop: start + Math.round(ms), labels: labelsOf(run, scenario), links: [] },
    description: [
      `\`${id}\``,
      ...(twin === undefined ? [] : [`differs in one place from its passing twin \`${twin}\``]),
      `requirements: ${scenario.requirements.join(', ')}`,
    ].join('\n\n'),
    parameters: [
      { name: 'version', value: version },
      { name: 'seed', value: run.seed, excluded: true },
    ],
    steps: stepsOf(scenario, transcript, start),
    attachments:
      transcript.length === 0 ? [] : [{ name: 'transcript', type: 'text/plain', source: text }],
  }
  const colours = picocolors.createColors(false)
  const files = [{ name: `${uuid}-result.json`, content: `${JSON.stringify(result)}\n` }]
  if (transcript.length === 0) return files
  const content = `${presentTranscript({ id, version, transcript }, scenario, colours)}\n`
  return [...files, { name: text, content }]
}

/** The files of the directory `allure`: a result for each scenario that had its turn, with its transcript if that was kept. */
export function* allureFiles(run: RunResult, transcripts: Transcripts): Iterable<AllureFile> {
  const facts = {
    target: run.target.name,
    seed: run.seed,
    verdict: run.verdict,
    assay: run.assay_version,
  }
  yield {
    name: 'environment.properties',
    content: Object.entries(facts)
      .map(([key, value]) => `${key} = ${visibleLine(value)}\n`)
      .join(''),
  }
  for (const scenario of run.scenarios)
    if (scenario.unfinished !== true) yield* filesOf(run, scenario, transcripts)
}
