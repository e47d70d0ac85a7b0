import { expect, test } from 'vitest'
import type { CheckResult } from '../result.ts'
import { brokenChecks, leniencyOf, standingOf } from './standing.ts'

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
])('a check %s by its excuse and strength', (standing, check) => {
  expect(standingOf(check)).toBe(standing)
})

test('what counts comes before what is excused, and that before what only warns', () => {
  const held = { ...broken, ok: true }
  expect(brokenChecks([warned, held, excused, broken])).toEqual([broken, excused, warned])
})

test('an excused check says the words of its excuse, and a broken one has none', () => {
  expect(leniencyOf(excused)).toBe('waived until 2027-01-31: known')
  expect(leniencyOf(warned)).toContain('two ways')
  expect(leniencyOf(broken)).toBeUndefined()
})
