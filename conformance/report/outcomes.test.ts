import { expect, test } from 'vitest'
import {
  BY_URGENCY,
  compareVersions,
  notPassed,
  reasonOf,
  shownOutcomes,
  sumOf,
} from './outcomes.ts'
import { OUTCOMES } from './result.ts'
import { sampleResult } from './testing/sample-result.ts'

test('the order of urgency contains every outcome', () => {
  expect(BY_URGENCY.toSorted()).toEqual(OUTCOMES.toSorted())
})

test('outcomes that fail a run count as failed, a warning as passed, the rest as skipped', () => {
  const totals = { ...sampleResult([]).totals, pass: 31, blocked: 2, hang: 3, 'harness-fault': 4 }
  expect(sumOf({ ...totals, warn: 1 }, 'passed')).toBe(32)
  expect(sumOf(totals, 'failed')).toBe(9)
  expect(
    sumOf({ ...totals, 'not-applicable': 1, skipped: 5, waived: 2, observed: 1 }, 'skipped'),
  ).toBe(9)
})

test('scenarios that did not pass are in the order of urgency', () => {
  const outcomes = notPassed(sampleResult().scenarios).map(({ outcome }) => outcome)
  expect([...new Set(outcomes)]).toEqual(BY_URGENCY.filter((outcome) => outcome !== 'pass'))
})

test('a summary shows pass, fail and every other outcome that occurred', () => {
  const { totals } = sampleResult([])
  expect(shownOutcomes({ totals })).toEqual(['pass', 'fail'])
  expect(shownOutcomes({ totals: { ...totals, waived: 1 } })).toEqual(['pass', 'fail', 'waived'])
})

test('a missing reason comes from a check that counts, not from an excused one', () => {
  const hostile = sampleResult().scenarios.find((one) => one.id === 'registrar.answer.hostile')
  expect(hostile && reasonOf(hostile)).toMatch(/^status: expected Success/)
})

test('a failure without a reason is explained by its first failed check', () => {
  const failed = sampleResult().scenarios.find(
    (one) => one.id === 'registrar.agents.list' && one.outcome === 'fail',
  )
  expect(failed && reasonOf(failed)).toBe('status: expected 200, received 500')
})

test('version 2.10 comes after 2.9', () => {
  expect(['3.0', '2.10', '2.9'].toSorted(compareVersions)).toEqual(['2.9', '2.10', '3.0'])
})
