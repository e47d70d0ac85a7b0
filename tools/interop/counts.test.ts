import { expect, test } from 'vitest'
import { OUTCOME_ROWS } from '../../conformance/report/outcomes.ts'
import type { Outcome } from '../../conformance/report/result.ts'
import { countsOf, presentCounts } from './counts.ts'

const OUTCOMES_OF_A_RUN = ['pass', 'pass', 'warn', 'fail', 'hang', 'waived', 'skipped'] as const

test('every outcome is in exactly one class', () => {
  const outcomes = Object.keys(OUTCOME_ROWS) as Outcome[]
  const counted = Object.values(countsOf(outcomes)).reduce((sum, count) => sum + count, 0)
  expect(counted).toBe(outcomes.length)
})

test('a warning counts as passed, and a hang as failed', () => {
  expect(countsOf(OUTCOMES_OF_A_RUN)).toEqual({
    ...{ passed: 3, failed: 2, excused: 1, blocked: 0 },
    'not applicable': 1,
  })
})

test('empty classes are omitted', () => {
  const text = presentCounts(countsOf(OUTCOMES_OF_A_RUN))
  expect(text).toBe('3 passed, 2 failed, 1 excused, 1 not applicable')
})
