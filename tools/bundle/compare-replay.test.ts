import { expect, test } from 'vitest'
import type { CheckResult, ScenarioResult } from '../../conformance/report/result.ts'
import { compareReplay } from './compare-replay.ts'

const check = (what: string, ok: boolean, received = 'x'): CheckResult => ({
  ...{ requirement: 'ATT-SIGNATURE-VERIFIED', what, expected: '"fail"', received, ok, at: 1 },
})

const scenario = (outcome: ScenarioResult['outcome'], checks: readonly CheckResult[]) =>
  ({ id: 'a.b', version: '3.0', outcome, checks }) as unknown as ScenarioResult

const FAILED = scenario('fail', [check('status', true), check('verdict', false)])

test.each([
  ['reproduced', FAILED, FAILED],
  ['reproduced', FAILED, scenario('fail', [check('verdict', false, 'another nonce')])],
  ['reproduced', scenario('pass', [check('a', true)]), scenario('pass', [check('a', true)])],
  ['not reproduced', FAILED, scenario('pass', [check('status', true), check('verdict', true)])],
  ['differs', FAILED, scenario('fail', [check('status', false), check('verdict', false)])],
  ['differs', FAILED, scenario('fail', [check('status', false)])],
  ['differs', FAILED, scenario('hang', [])],
  ['differs', FAILED, scenario('blocked', [])],
  ['differs', scenario('pass', []), FAILED],
  ['differs', scenario('warn', [check('a', false)]), FAILED],
])('%s (%#)', (comparison, recorded, replayed) => {
  expect(compareReplay(recorded, replayed).comparison).toBe(comparison)
})

test('a difference is said with the check at which it begins', () => {
  const other = scenario('fail', [check('status', false)])
  expect(compareReplay(FAILED, other).says).toBe(
    'fail then, fail now; here: ATT-SIGNATURE-VERIFIED status held then, and does not now: status: expected "fail", received x',
  )
  expect(compareReplay(FAILED, scenario('warn', [])).says).toMatch(
    /^fail then, warning now; here: ATT-SIGNATURE-VERIFIED verdict did not hold then, and holds now$/,
  )
})
