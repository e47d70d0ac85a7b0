import { expect, test } from 'vitest'
import { rangeHolds } from './requirement-row.ts'

test.each([
  ['2.1-2.5', '2.1', true],
  ['2.1-2.5', '2.5', true],
  ['2.1-2.5', '3.0', false],
  ['3.0', '3.0', true],
  ['3.0', '2.5', false],
  ['2.1-2.3, 3.0', '3.0', true],
  ['2.1-2.3, 3.0', '2.4', false],
  ['2.9-2.11', '2.10', true],
  ['2.4-', '3.0', true],
  ['2.4-', '2.3', false],
  ['all', '2.4', true],
])('the range %s contains version %s: %s', (range, version, holds) => {
  expect(rangeHolds(range, version)).toBe(holds)
})
