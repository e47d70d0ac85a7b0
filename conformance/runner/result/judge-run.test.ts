import { expect, test } from 'vitest'
import type { CheckResult, ExpectedFailure, ScenarioResult } from '../../report/result.ts'
import { sampleResult } from '../../report/testing/sample-result.ts'
import type { Scenario } from '../../scenario.ts'
import { judgeRun, type RunParts } from './judge-run.ts'

const scenarios: readonly Scenario[] = ['a', 'b'].map((id) => ({
  ...{ id, title: id, requirements: ['REQ'], role: 'registrar', since: '3.0' },
  run: () => Promise.resolve(),
}))

const check = (ok: boolean): CheckResult => ({
  ...{ requirement: 'REQ', what: 'status', expected: '200', received: '500', ok, at: 0 },
})

const result = (id: string, ok: boolean): ScenarioResult => ({
  ...{ id, title: id, role: 'registrar', version: '3.0', requirements: ['REQ'], ms: 1 },
  ...{ outcome: ok ? 'pass' : 'fail', checks: [check(ok)], observations: [] },
  ...{ transcript: { entries: 0, kept: false }, repeat: '' },
})

const entry: ExpectedFailure = { scenario: 'a', version: '3.0', requirement: 'REQ', what: 'status' }

const WHOLE = { only: [], role: [], version: [] }

const judged = (
  results: readonly ScenarioResult[],
  entries?: readonly ExpectedFailure[],
  more: Partial<RunParts> = {},
) =>
  judgeRun({
    ...{ facts: sampleResult(), results, scenarios, requirements: [], capabilities: [] },
    ...{ roles: ['registrar'], narrowing: WHOLE, ended: undefined, complaints: [] },
    allowances: [],
    baseline: entries && { file: 'baseline.yaml', entries },
    ...more,
  })

test('a run that passes conforms, and with a baseline it only matches that', () => {
  const passed = [result('a', true), result('b', true)]
  expect(judged(passed)).toMatchObject({
    ...{ verdict: 'conforms', exit_code: 0, certification: { possible: true } },
  })
  expect(judged(passed, [])).toMatchObject({
    ...{ verdict: 'matches the baseline', exit_code: 0 },
    certification: { possible: false, because: ['the verdict is: matches the baseline'] },
  })
})

test('an expected failure matches the baseline, also if nothing else ran', () => {
  const failed = [result('a', false), result('b', true)]
  expect(judged(failed)).toMatchObject({ verdict: 'does not conform', exit_code: 1 })
  for (const results of [failed, failed.slice(0, 1)])
    expect(judged(results, [entry])).toMatchObject({
      ...{ verdict: 'matches the baseline', exit_code: 0, complaints: [], causes: [] },
    })
})

test('an unexpected failure does not conform', () => {
  expect(judged([result('a', false), result('b', false)], [entry])).toMatchObject({
    ...{ verdict: 'does not conform', exit_code: 1, totals: { waived: 1, fail: 1 } },
  })
})

test('an expected failure that passes is a complaint', () => {
  expect(judged([result('a', true), result('b', true)], [entry])).toMatchObject({
    ...{ verdict: 'does not conform', exit_code: 1 },
    complaints: ['the baseline expects a 3.0: REQ status to fail, and it passes'],
  })
})

test('an entry of no scenario is a complaint', () => {
  const nothing = { ...entry, scenario: 'z' }
  const { exit_code, complaints } = judged([result('a', true)], [nothing])
  expect([exit_code, complaints]).toEqual([1, [expect.stringContaining('no such scenario')]])
})

test('a part of the scenarios that matches the baseline says both', () => {
  const narrowing = { ...WHOLE, only: ['a'] }
  expect(judged([result('a', false)], [entry], { narrowing })).toMatchObject({
    ...{ verdict: 'matches the baseline', scope: { narrowed: ['--only'] } },
    baseline: { file: 'baseline.yaml', entries: [entry] },
  })
})

test('a run that ended early and a fault of the harness have no verdict, with a baseline too', () => {
  const ended = { because: 'interrupted', says: 'ended' } as const
  expect(judged([result('a', false)], [entry], { ended }).verdict).toBe('no verdict')
  const fault: ScenarioResult = { ...result('b', true), outcome: 'harness-fault' }
  expect(judged([result('a', false), fault], [entry]).verdict).toBe('no verdict')
})

test('the scope of a run of a profile names it', () => {
  const passed = [result('a', true), result('b', true)]
  const selection = { only: [], exclude: [], role: [], version: [] }
  const facts = sampleResult()
  expect(judged(passed, undefined, { facts: { ...facts, selection } }).scope?.text).toBe(
    'registrar 3.0; 0 of 2 not applicable',
  )
  const ofProfile = { ...facts, selection: { ...selection, profile: 'registrar' } }
  expect(judged(passed, undefined, { facts: ofProfile }).scope?.text).toBe(
    'profile registrar: registrar 3.0; 0 of 2 not applicable',
  )
})
