import { expect, test } from 'vitest'
import type { CheckResult } from '../result.ts'
import { brokenChecks, exemptionOf, standingOf } from './standing.ts'

const broken: CheckResult = {
  requirement: 'REG-ENVELOPE',
  what: 'code',
  expected: '200',
  received: '201',
  ok: false,
  at: 0,
}
const warned: CheckResult = { ...broken, strength: 'two-readings' }
const excused: CheckResult = { ...broken, excused: 'waived until 2027-01-31: known' }

test.each([
  ['held', { ...excused, ok: true }],
  ['broke', broken],
  ['warned', warned],
  ['warned', { ...broken, strength: 'silent' as const }],
  ['excused', excused],
  ['excused', { ...warned, excused: 'known' }],
])('a check is %s according to its excuse and strength', (standing, check) => {
  expect(standingOf(check)).toBe(standing)
})

test('failed checks that count come first, then excused ones, then warnings', () => {
  const held = { ...broken, ok: true }
  expect(brokenChecks([warned, held, excused, broken])).toEqual([broken, excused, warned])
})

test('an excused check has a reason, and a failed check that counts has none', () => {
  expect(exemptionOf(excused)).toBe('waived until 2027-01-31: known')
  expect(exemptionOf(warned)).toContain('two ways')
  expect(exemptionOf(broken)).toBeUndefined()
})
