import { expect, test } from 'vitest'
import { OUTCOME_ROWS } from '../../conformance/report/outcomes.ts'
import { countsOf, presentCounts } from './counts.ts'

const totals = { pass: 3, warn: 1, fail: 2, hang: 1, waived: 5, blocked: 0, 'not-applicable': 7 }

test('every outcome is in exactly one class', () => {
  const one = Object.fromEntries(Object.keys(OUTCOME_ROWS).map((outcome) => [outcome, 1]))
  const counted = Object.values(countsOf(one)).reduce((sum, count) => sum + count, 0)
  expect(counted).toBe(Object.keys(one).length)
})

test('a warning counts as passed, and a hang as failed', () => {
  expect(countsOf(totals)).toEqual({
    ...{ passed: 4, failed: 3, excused: 5, blocked: 0 },
    'not applicable': 7,
  })
})

test('empty classes are omitted', () => {
  expect(presentCounts(countsOf(totals))).toBe('4 passed, 3 failed, 5 excused, 7 not applicable')
})
