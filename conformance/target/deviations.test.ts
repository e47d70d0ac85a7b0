import { expect, test } from 'vitest'
import type { CheckResult } from '../report/result.ts'
import { type AllowedDeviations, markAllowed, type Waiver } from './deviations.ts'

const check = (requirement: string, what: string, ok: boolean): CheckResult => ({
  requirement,
  what,
  expected: '200',
  received: '201',
  ok,
  at: 0,
})
const waiver: Waiver = {
  scenario: 'a',
  requirement: 'REQ',
  what: 'status',
  reason: 'mended in 2.1',
  link: 'https://issues.invalid/1',
  expires: '2026-12-31',
}
const deviations: AllowedDeviations = { waivers: [waiver], today: '2026-12-31' }
const excusedOf = (scenario: string, one: CheckResult, given: AllowedDeviations = deviations) =>
  markAllowed(scenario, [one], given)[0]?.excused

test('a waived check that does not hold is excused, with reason, link and last day', () => {
  expect(excusedOf('a', check('REQ', 'status', false))).toBe(
    'waived until 2026-12-31: mended in 2.1 (https://issues.invalid/1)',
  )
})

test('a check that holds is not marked', () => {
  expect(excusedOf('a', check('REQ', 'status', true))).toBeUndefined()
})

test.each([
  ['another scenario', 'b', check('REQ', 'status', false)],
  ['another requirement', 'a', check('OTHER', 'status', false)],
  ['another check of the same requirement', 'a', check('REQ', 'body', false)],
])('a waiver does not cover %s', (_what, scenario, one) => {
  expect(excusedOf(scenario, one)).toBeUndefined()
})

test('an expired waiver has no effect', () => {
  const late = { ...deviations, today: '2027-01-01' }
  expect(excusedOf('a', check('REQ', 'status', false), late)).toBeUndefined()
})

test('a deviation profile applies to its row in every scenario, with its source', () => {
  const row = { requirement: 'REQ', received: 'HTTP 201', source: 'release notes 7.14' }
  const profiled: AllowedDeviations = {
    waivers: [],
    profile: { name: 'known', rows: [row] },
    today: '',
  }
  expect(excusedOf('b', check('REQ', 'status', false), profiled)).toBe(
    'profile known: HTTP 201 (release notes 7.14)',
  )
})
