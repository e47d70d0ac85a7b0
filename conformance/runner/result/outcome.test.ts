import { expect, test } from 'vitest'
import {
  DeadlinePassed,
  NotApplicable,
  Overslept,
  PrerequisiteFailed,
} from '../../attempt/endings.ts'
import type { CheckResult, Outcome } from '../../report/result.ts'
import { decideOutcome, decideVerdict } from './outcome.ts'

const check = (ok: boolean): CheckResult => ({
  requirement: 'REQ',
  what: 'evaluation',
  expected: '"fail"',
  received: '"pass"',
  ok,
  at: 0,
})

const excused: CheckResult = { ...check(false), excused: 'waived until 2030-01-01' }
const twoReadings: CheckResult = { ...check(false), strength: 'two-readings' }

const OUTCOMES: readonly [string, readonly CheckResult[], unknown, Outcome][] = [
  ['checks that all hold are a pass', [check(true), check(true)], undefined, 'pass'],
  ['one check that does not hold is a failure', [check(true), check(false)], undefined, 'fail'],
  ['no check at all is a fault of the harness', [], undefined, 'harness-fault'],
  ['a failed prerequisite is a failure', [], new PrerequisiteFailed('no blob'), 'fail'],
  [
    'a prerequisite that fails later is a failure',
    [check(true)],
    new PrerequisiteFailed('x'),
    'fail',
  ],
  ['a case that cannot arise is not applicable', [], new NotApplicable('x'), 'not-applicable'],
  ['a failed check outweighs not applicable', [check(false)], new NotApplicable('x'), 'fail'],
  ['a passed deadline is a hang', [check(true)], new DeadlinePassed('30 s'), 'hang'],
  [
    'an unexpected throw is a fault of the harness',
    [check(true)],
    new TypeError('x'),
    'harness-fault',
  ],
  ['a throw after a failed check is still the failure', [check(false)], new TypeError('x'), 'fail'],
  ['a harness that is late is at fault', [check(true)], new Overslept('x'), 'harness-fault'],
  ['a check that failed before the harness was late', [check(false)], new Overslept('x'), 'fail'],
  ['a row with two readings warns', [check(true), twoReadings], undefined, 'warn'],
  ['a fixed row fails whatever else warns', [twoReadings, check(false)], undefined, 'fail'],
  ['an excused check is waived', [check(true), excused], undefined, 'waived'],
  ['one excuse does not excuse another check', [excused, check(false)], undefined, 'fail'],
  ['a warning is not hidden by an excuse', [excused, twoReadings], undefined, 'warn'],
]

test.each(OUTCOMES)('%s', (_title, checks, thrown, outcome) => {
  expect(decideOutcome({ checks, observations: 0, thrown }).outcome).toBe(outcome)
})

test('observations alone are observed', () => {
  const decision = decideOutcome({ checks: [], observations: 2, thrown: undefined })
  expect(decision.outcome).toBe('observed')
})

test('the reason of a failure has both sides and the requirement', () => {
  const { reason } = decideOutcome({ checks: [check(false)], observations: 0, thrown: undefined })
  expect(reason).toBe('REQ: evaluation was expected to be "fail", and was "pass"')
})

const VERDICTS: readonly [string, readonly Outcome[], 0 | 1 | 2][] = [
  ['passes conform', ['pass', 'pass'], 0],
  ['a pass beside cases that cannot arise conforms', ['pass', 'not-applicable', 'skipped'], 0],
  ['a failure does not conform', ['pass', 'fail'], 1],
  ['a hang does not conform', ['pass', 'hang'], 1],
  ['a blocked case does not conform', ['pass', 'blocked'], 1],
  ['a fault of the harness leaves no verdict, whatever failed', ['fail', 'harness-fault'], 2],
  ['nothing run is no verdict', [], 2],
  ['nothing but skips is no verdict', ['skipped', 'not-applicable'], 2],
  ['nothing but blocked cases is no verdict', ['blocked'], 2],
  ['a warning conforms', ['pass', 'warn'], 0],
  ['a waived case beside passes conforms', ['pass', 'waived'], 0],
  ['a run in which all is waived does not conform', ['waived', 'waived'], 1],
  ['nothing but observations is no verdict', ['observed'], 2],
]

test.each(VERDICTS)('%s', (_title, outcomes, exitCode) => {
  expect(decideVerdict(outcomes.map((outcome) => ({ outcome }))).exitCode).toBe(exitCode)
})

test('a complaint about the run makes it not conform', () => {
  expect(decideVerdict([{ outcome: 'pass' }], ['a waiver is stale']).exitCode).toBe(1)
})
