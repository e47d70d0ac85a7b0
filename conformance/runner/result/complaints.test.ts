import { expect, test } from 'vitest'
import type { Outcome, ScenarioResult } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import type { Waiver } from '../../target/deviations.ts'
import { neededOf, staleWaivers, unexercisedCapabilities } from './complaints.ts'

const result = (id: string, outcome: Outcome, ok: boolean): ScenarioResult => ({
  id,
  title: id,
  role: 'verifier',
  version: '3.0',
  requirements: ['REQ'],
  outcome,
  ms: 1,
  checks: [{ requirement: 'REQ', what: 'status', expected: '200', received: '201', ok, at: 0 }],
  observations: [],
  transcript: { entries: 0, kept: false },
  repeat: '',
})
const waiver: Waiver = {
  scenario: 'a',
  requirement: 'REQ',
  reason: 'r',
  link: 'l',
  expires: '2026-12-31',
}
const deviations = { waivers: [waiver], today: '2026-06-01' }

test('a waiver whose check does not hold is not stale', () => {
  expect(staleWaivers(deviations, [result('a', 'waived', false)])).toEqual([])
})

test('a waiver whose check holds is stale', () => {
  expect(staleWaivers(deviations, [result('a', 'pass', true)])).toEqual([
    'the waiver of REQ in a is stale: the check holds, remove the waiver',
  ])
})

test('a waiver of a scenario that did not run is not stale', () => {
  expect(staleWaivers(deviations, [result('b', 'pass', true)])).toEqual([])
})

test('an expired waiver is a complaint, whether or not its check holds', () => {
  const late = { ...deviations, today: '2027-01-01' }
  expect(staleWaivers(late, [result('a', 'fail', false)])).toEqual([
    'the waiver of REQ in a expired on 2026-12-31',
  ])
})

const scenario: Scenario = {
  id: 'a',
  title: 'a',
  requirements: ['REQ'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  run: () => Promise.resolve(),
}

test('a claimed capability is exercised if a scenario that needs it ran', () => {
  expect(unexercisedCapabilities(['ima_log'], [scenario], [result('a', 'fail', false)])).toEqual([])
})

test('a claimed capability whose only scenario was skipped is a complaint', () => {
  expect(unexercisedCapabilities(['ima_log'], [scenario], [result('a', 'skipped', true)])).toEqual([
    'the target file claims ima_log, and no check of this run exercised it',
  ])
})

test('a capability that only enables a hook needs no scenario', () => {
  expect(unexercisedCapabilities(['restartable'], [scenario], [])).toEqual([])
})

test('a claimed capability that no scenario needs is a complaint', () => {
  const [complaint] = unexercisedCapabilities(['tpm_3'], [scenario], [result('a', 'pass', true)])
  expect(complaint).toContain('tpm_3')
})

test('of the claimed capabilities only those count that a scenario needs', () => {
  expect(neededOf(['tpm_3', 'ima_log'], [scenario])).toEqual(['ima_log'])
})
