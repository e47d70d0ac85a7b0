import type { TestResult } from 'allure-js-commons'
import { expect, test } from 'vitest'
import type { RunResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { sampleTranscripts } from '../testing/sample-scenarios.ts'
import { Transcripts } from '../transcripts/transcripts.ts'
import { allureFiles } from './allure.ts'

const filesOf = (run: RunResult, transcripts = sampleTranscripts()) => [
  ...allureFiles(run, transcripts),
]

const resultsOf = (run: RunResult, transcripts?: Transcripts): readonly TestResult[] =>
  filesOf(run, transcripts)
    .filter(({ name }) => name.endsWith('-result.json'))
    .map(({ content }) => JSON.parse(content))

const resultOf = (id: string, run = sampleResult(), transcripts?: Transcripts): TestResult => {
  const found = resultsOf(run, transcripts).find(({ fullName }) => fullName?.endsWith(`: ${id}`))
  if (found === undefined) throw new Error(`there is no result of ${id}`)
  return found
}

test('there is one file for each scenario and version, under a name of its own', () => {
  const names = filesOf(sampleResult()).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(resultsOf(sampleResult())).toHaveLength(sampleResult().scenarios.length)
  expect(names).toContain('environment.properties')
})

test.each([
  ['push.evidence.accepted', 'passed'],
  ['registrar.agents.port-type', 'passed'],
  ['push.evidence.nonce-replayed', 'failed'],
  ['push.session.silent', 'failed'],
  ['push.evidence.old-index', 'broken'],
  ['push.evidence.sha384', 'broken'],
  ['registrar.agents.unknown', 'skipped'],
  ['push.evidence.uefi', 'skipped'],
])('%s is %s', (id, status) => {
  expect(resultOf(id)).toMatchObject({ status, stage: 'finished' })
})

test('a failure has its values, its requirement as a tag, and the command that repeats it', () => {
  expect(resultOf('push.evidence.nonce-replayed')).toMatchObject({
    statusDetails: {
      message: 'fail: failure_reason: expected broken_evidence_chain, received policy_violation',
      trace: expect.stringContaining('--only push.evidence.nonce-replayed'),
      expected: 'broken_evidence_chain',
      actual: 'policy_violation',
    },
    labels: expect.arrayContaining([
      { name: 'suite', value: 'verifier' },
      { name: 'subSuite', value: 'API 3.0' },
      { name: 'tag', value: 'VPUSH-REASON-BROKEN' },
    ]),
  })
})

test('steps are the entries of the transcript with their durations, and the checks of each', () => {
  const run = sampleResult()
  const started_at = '2026-11-20T16:02:13.000Z'
  const scenarios = run.scenarios.map((one) => ({ ...one, started_at }))
  const { start = 0, stop, steps } = resultOf('push.evidence.accepted', { ...run, scenarios })
  expect([start, stop]).toEqual([Date.parse(started_at), Date.parse(started_at) + 412])
  const entries = sampleTranscripts().of({ id: 'push.evidence.accepted', version: '3.0' })
  expect(steps.map((step) => (step.start ?? 0) - start)).toEqual(entries.map(({ at_ms }) => at_ms))
  expect(steps.map(({ steps: checks }) => checks.length)).toEqual([0, 0, 0, 2, 1])
  expect(steps.at(-1)?.steps).toMatchObject([
    { name: 'VPUSH-EVALUATION-PASS: evaluation', status: 'passed' },
  ])
})

test('the transcript is an attachment, and without one the checks are the steps', () => {
  const { attachments } = resultOf('push.evidence.accepted')
  const file = filesOf(sampleResult()).find(({ name }) => name === attachments[0]?.source)
  expect(file?.content).toMatch(/^ +4 {3}PATCH https:/m)
  const bare = resultOf('push.evidence.accepted', sampleResult(), new Transcripts('none'))
  expect(bare.attachments).toEqual([])
  expect(bare.steps).toHaveLength(3)
})

test('the ids of a result are the same in a run with another seed', () => {
  const ids = (run: RunResult) =>
    resultsOf(run).map(({ uuid, historyId, testCaseId }) => [uuid, historyId, testCaseId])
  expect(ids({ ...sampleResult(), seed: '1' })).toEqual(ids(sampleResult()))
  const histories = resultsOf(sampleResult()).map(({ historyId }) => historyId)
  expect(new Set(histories).size).toBe(histories.length)
})

test('a scenario before which the run ended has no result', () => {
  const run = sampleResult()
  const scenarios = run.scenarios.map((one) => ({ ...one, unfinished: true as const }))
  expect(resultsOf({ ...run, scenarios })).toEqual([])
})
