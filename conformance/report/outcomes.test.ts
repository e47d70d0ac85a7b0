import { expect, test } from 'vitest'
import { BY_URGENCY, compareVersions, notPassed, reasonOf, sumOf } from './outcomes.ts'
import { OUTCOMES } from './result.ts'
import { sampleResult } from './sample-result.ts'

test('every outcome has a place in the order of urgency', () => {
  expect(BY_URGENCY.toSorted()).toEqual(OUTCOMES.toSorted())
})

test('blocked, hang and harness fault count as failed, not applicable as skipped', () => {
  const totals = { ...sampleResult([]).totals, pass: 31, blocked: 2, hang: 3, 'harness-fault': 4 }
  expect(sumOf(totals, 'passed')).toBe(31)
  expect(sumOf(totals, 'failed')).toBe(9)
  expect(sumOf({ ...totals, 'not-applicable': 1, skipped: 5 }, 'skipped')).toBe(6)
})

test('what did not pass comes in the order of urgency', () => {
  const outcomes = notPassed(sampleResult().scenarios).map(({ outcome }) => outcome)
  expect([...new Set(outcomes)]).toEqual(BY_URGENCY.filter((outcome) => outcome !== 'pass'))
})

test('a failure without a reason is explained by its first broken check', () => {
  const failed = sampleResult().scenarios.find(
    (one) => one.id === 'registrar.agents.list' && one.outcome === 'fail',
  )
  expect(failed && reasonOf(failed)).toBe('status: expected 200, received 500')
})

test('version 2.10 comes after 2.9', () => {
  expect(['3.0', '2.10', '2.9'].toSorted(compareVersions)).toEqual(['2.9', '2.10', '3.0'])
})
