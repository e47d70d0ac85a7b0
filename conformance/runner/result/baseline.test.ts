import { expect, test } from 'vitest'
import type { CheckResult, ExpectedFailure, Outcome, ScenarioResult } from '../../report/result.ts'
import {
  applyBaseline,
  expectations,
  failuresOf,
  nextBaseline,
  staleEntries,
  withoutBaseline,
} from './baseline.ts'

const check = (what: string, ok: boolean, more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ requirement: 'REQ', what, expected: '200', received: ok ? '200' : '500', ok, at: 0 },
  ...more,
})

const result = (
  id: string,
  outcome: Outcome,
  more: Partial<ScenarioResult> = {},
): ScenarioResult => ({
  ...{ id, title: id, role: 'verifier', version: '3.0', requirements: ['REQ'], outcome, ms: 1 },
  ...{ checks: [], observations: [], transcript: { entries: 0, kept: false }, repeat: '' },
  ...more,
})

const failing = result('a', 'fail', {
  reason: 'REQ: status was expected to be 200, and was 500',
  checks: [check('members', true), check('status', false)],
})
const entry: ExpectedFailure = { scenario: 'a', version: '3.0', requirement: 'REQ', what: 'status' }
const scenarios = ['a', 'b'].map((id) => ({ id, since: '2.4' }))

const applied = (one: ScenarioResult, entries: readonly ExpectedFailure[] = [entry]) =>
  applyBaseline([one], entries)[0]

test('a failure that the baseline expects is waived, and its reason says why', () => {
  expect(applied(failing)).toMatchObject({
    outcome: 'waived',
    expected: 'fail',
    reason: 'expected by the baseline: REQ: status was expected to be 200, and was 500',
    checks: [{ ok: true }, { ok: false, excused: 'expected by the baseline' }],
  })
})

test.each<readonly [string, ExpectedFailure]>([
  ['scenario', { ...entry, scenario: 'b' }],
  ['version', { ...entry, version: '2.5' }],
  ['requirement', { ...entry, requirement: 'OTHER' }],
  ['check', { ...entry, what: 'code' }],
  ['cell', { ...entry, cell: 'GET' }],
])('an entry for another %s excuses nothing', (_what, other) => {
  expect(applied(failing, [other])).toEqual(failing)
})

test('a scenario with one more failure than expected fails, for that one', () => {
  const more = { ...failing, checks: [...failing.checks, check('code', false)] }
  expect(applied(more)).toMatchObject({
    outcome: 'fail',
    reason: 'REQ: code was expected to be 200, and was 500',
    checks: [{}, { excused: 'expected by the baseline' }, { what: 'code', ok: false }],
  })
})

test('an entry of a cell excuses that cell alone', () => {
  const cells = ['GET', 'PUT'].map((cell) => check('status', false, { cell }))
  const red = { ...failing, checks: cells }
  expect(applied(red, [{ ...entry, cell: 'GET' }])?.outcome).toBe('fail')
  const both = ['GET', 'PUT'].map((cell) => ({ ...entry, cell }))
  expect(applied(red, both)?.outcome).toBe('waived')
})

test('a failed step, a hang and a failure without a name are expected by their entries', () => {
  const step = { requirement: 'REQ', what: 'adding an agent', expected: '200', received: '500' }
  const cases = [
    result('a', 'fail', { failed_step: step, reason: 'x' }),
    result('a', 'hang', { reason: 'x' }),
    result('a', 'fail', { reason: 'x' }),
  ]
  const entries = cases.map((one) => failuresOf(one)[0])
  expect(entries).toEqual([
    { scenario: 'a', version: '3.0', requirement: 'REQ', step: 'adding an agent' },
    { scenario: 'a', version: '3.0', outcome: 'hang' },
    { scenario: 'a', version: '3.0', outcome: 'fail' },
  ])
  for (const [at, one] of cases.entries())
    for (const [other, known] of entries.entries())
      expect(applied(one, known && [known])?.outcome === 'waived').toBe(at === other)
})

const blocked = result('b', 'blocked', {
  reason: 'its passing twin a did not pass',
  blocked_by: { id: 'a', version: '3.0', outcome: 'fail', reason: 'x' },
})

test('what an expected failure blocks is waived, in whichever order', () => {
  for (const results of [
    [failing, blocked],
    [blocked, failing],
  ])
    expect(applyBaseline(results, [entry]).map((one) => one.outcome)).toEqual(['waived', 'waived'])
  const expect_ = expectations([entry])
  expect([expect_(failing), expect_(blocked)].map((one) => one.expected)).toEqual([
    'fail',
    'blocked',
  ])
})

test('what an unexpected failure blocks stays blocked', () => {
  const more = { ...failing, checks: [...failing.checks, check('code', false)] }
  expect(applyBaseline([more, blocked], [entry]).map(({ outcome }) => outcome)).toEqual([
    'fail',
    'blocked',
  ])
})

test('a pass, a warning and a fault of the harness are not changed', () => {
  const silent = check('status', false, { strength: 'silent' })
  for (const one of [
    result('a', 'pass', { checks: [check('status', true)] }),
    result('a', 'warn', { checks: [silent] }),
    result('a', 'harness-fault'),
  ])
    expect(applied(one)).toEqual(one)
})

test('values that vary between runs do not matter', () => {
  const agent = (id: string) => `status of agent ${id}`
  const [one, other] = [
    agent('0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'),
    agent('5b0e7c1f-93a4-4d26-8f7e-b1c2d3e4f506'),
  ]
  const red = { ...failing, checks: [check(one, false)] }
  expect(applied(red, [{ ...entry, what: other }])?.outcome).toBe('waived')
})

test('the results are those from before when the baseline is taken away', () => {
  const hung = result('c', 'hang', { reason: 'no answer' })
  const waived = { ...check('status', false), excused: 'waived until 2030-01-01' }
  const results = [failing, blocked, hung, result('d', 'waived', { checks: [waived], reason: 'w' })]
  const entries = results.flatMap(failuresOf)
  const marked = applyBaseline(results, entries)
  expect(marked.map(({ outcome }) => outcome)).toEqual(['waived', 'waived', 'waived', 'waived'])
  expect(withoutBaseline(marked)).toEqual(results)
})

test('an entry whose check failed, or was not made because its scenario did not run, is not stale', () => {
  expect(staleEntries([entry], [failing], scenarios)).toEqual([])
  expect(staleEntries([entry], [result('a', 'skipped')], scenarios)).toEqual([])
  expect(staleEntries([entry], [result('a', 'blocked')], scenarios)).toEqual([])
  expect(staleEntries([entry], [], scenarios)).toEqual([])
})

const passing = result('a', 'pass', { checks: [check('status', true)] })

test.each<readonly [string, ExpectedFailure, string]>([
  ['whose check holds', entry, 'a 3.0: REQ status to fail, and it passes'],
  ['without such a check', { ...entry, what: 'code' }, 'there is no such check'],
  ['of no scenario', { ...entry, scenario: 'z' }, 'there is no such scenario'],
  ['of a version without it', { ...entry, version: '2.1' }, 'does not apply to API 2.1'],
  [
    'of a hang that is over',
    { scenario: 'a', version: '3.0', outcome: 'hang' },
    'a 3.0: hang to fail, and it passes',
  ],
])('an entry %s is stale', (_what, stale, sentence) => {
  expect(staleEntries([stale], [passing], scenarios)).toEqual([expect.stringContaining(sentence)])
})

test('an updated baseline has the failures of this run, and keeps entries of scenarios that were not judged', () => {
  const kept: ExpectedFailure = { ...entry, scenario: 'b' }
  const gone: ExpectedFailure = { ...entry, scenario: 'z' }
  const old: ExpectedFailure = { ...entry, what: 'code' }
  const next = nextBaseline([kept, gone, old], [failing, blocked], scenarios)
  expect(next).toEqual([entry, kept])
  expect(applyBaseline([failing, blocked], next).map(({ outcome }) => outcome)).toEqual([
    'waived',
    'waived',
  ])
  expect(staleEntries(next, [failing, blocked], scenarios)).toEqual([])
})
