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
const silent: CheckResult = { ...check(false), strength: 'silent' }
const either: CheckResult = { ...check(false), strength: 'either' }

const OUTCOMES: readonly [string, readonly CheckResult[], unknown, Outcome][] = [
  ['a scenario whose checks all hold passes', [check(true), check(true)], undefined, 'pass'],
  [
    'a scenario with one check that does not hold fails',
    [check(true), check(false)],
    undefined,
    'fail',
  ],
  ['a scenario without any check is a harness fault', [], undefined, 'harness-fault'],
  ['a failed prerequisite is a failure', [], new PrerequisiteFailed('no blob'), 'fail'],
  [
    'a prerequisite that fails later is a failure',
    [check(true)],
    new PrerequisiteFailed('x'),
    'fail',
  ],
  [
    'a scenario that calls notApplicable is not applicable',
    [],
    new NotApplicable('x'),
    'not-applicable',
  ],
  ['a failed check outweighs not applicable', [check(false)], new NotApplicable('x'), 'fail'],
  ['a passed deadline is a hang', [check(true)], new DeadlinePassed('30 s'), 'hang'],
  [
    'an unexpected exception is a harness fault',
    [check(true)],
    new TypeError('x'),
    'harness-fault',
  ],
  ['an exception after a failed check is a failure', [check(false)], new TypeError('x'), 'fail'],
  ['a harness that is late is a harness fault', [check(true)], new Overslept('x'), 'harness-fault'],
  ['a check that failed before the harness was late', [check(false)], new Overslept('x'), 'fail'],
  ['a check on a silent row warns', [check(true), silent], undefined, 'warn'],
  ['a check that meets no reading of its row fails', [check(true), either], undefined, 'fail'],
  ['a check on a fixed row fails even if others warn', [silent, check(false)], undefined, 'fail'],
  ['a waived check gives the outcome waived', [check(true), excused], undefined, 'waived'],
  ['a waiver of one check does not cover another', [excused, check(false)], undefined, 'fail'],
  ['a waiver does not hide a warning', [excused, silent], undefined, 'warn'],
]

test.each(OUTCOMES)('%s', (_title, checks, thrown, outcome) => {
  expect(decideOutcome({ checks, observations: 0, thrown }).outcome).toBe(outcome)
})

test('observations alone are observed', () => {
  const decision = decideOutcome({ checks: [], observations: 2, thrown: undefined })
  expect(decision.outcome).toBe('observed')
})

test('the reason of a failure has the requirement, the expected and the received value', () => {
  const { reason } = decideOutcome({ checks: [check(false)], observations: 0, thrown: undefined })
  expect(reason).toBe('REQ: evaluation was expected to be "fail", and was "pass"')
})

const VERDICTS: readonly [string, readonly Outcome[], 0 | 1 | 2][] = [
  ['a run of passes conforms', ['pass', 'pass'], 0],
  ['a run of a pass and not applicable cases conforms', ['pass', 'not-applicable', 'skipped'], 0],
  ['a failure does not conform', ['pass', 'fail'], 1],
  ['a hang does not conform', ['pass', 'hang'], 1],
  ['a blocked case does not conform', ['pass', 'blocked'], 1],
  ['a harness fault gives no verdict, even if scenarios failed', ['fail', 'harness-fault'], 2],
  ['a run without scenarios has no verdict', [], 2],
  ['a run of skipped scenarios has no verdict', ['skipped', 'not-applicable'], 2],
  ['a run of blocked scenarios has no verdict', ['blocked'], 2],
  ['a warning conforms', ['pass', 'warn'], 0],
  ['a run of passes and a waived case conforms', ['pass', 'waived'], 0],
  ['a run of waived cases only does not conform', ['waived', 'waived'], 1],
  ['a run of observations only has no verdict', ['observed'], 2],
]

test.each(VERDICTS)('%s', (_title, outcomes, exitCode) => {
  expect(decideVerdict(outcomes.map((outcome) => ({ outcome }))).exitCode).toBe(exitCode)
})

test('a run with a complaint does not conform', () => {
  expect(decideVerdict([{ outcome: 'pass' }], ['a waiver is stale']).exitCode).toBe(1)
})
