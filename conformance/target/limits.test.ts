import { expect, test } from 'vitest'
import { DEFAULT_TIMES, exceedsCertification, TIME_LIMITS } from './limits.ts'

const excess = (change: Partial<typeof DEFAULT_TIMES>) =>
  exceedsCertification({ time: { ...DEFAULT_TIMES, ...change } }).map(({ sentence }) => sentence)

test('the defaults can be certified', () => {
  expect(excess({})).toEqual([])
})

test('a time at its limit can be certified, and one above it is reported', () => {
  expect(excess({ verdictWithinMs: 60_000 })).toEqual([])
  expect(excess({ verdictWithinMs: 60_001 })).toEqual([
    'time.verdict_within is 60 s, certification allows at most 60 s',
  ])
})

test('each time above its limit is reported', () => {
  expect(excess({ requestWithinMs: 31_000, scenarioWithinMs: 301_000 })).toEqual([
    'time.request_within is 31 s, certification allows at most 30 s',
    'time.scenario_within is 301 s, certification allows at most 300 s',
  ])
})

test('every time has a default', () => {
  expect(Object.keys(DEFAULT_TIMES)).toEqual(TIME_LIMITS.map(({ name }) => name))
})
