import { expect, test } from 'vitest'
import { DEFAULT_TIMES, exceedsCertification, TIME_LIMITS } from './limits.ts'

const excess = (change: Partial<typeof DEFAULT_TIMES>) =>
  exceedsCertification({ time: { ...DEFAULT_TIMES, ...change } }).map(({ sentence }) => sentence)

test('the defaults can be certified', () => {
  expect(excess({})).toEqual([])
})

test('a time at its limit can be certified, and one above is told', () => {
  expect(excess({ verdictWithinMs: 60_000 })).toEqual([])
  expect(excess({ verdictWithinMs: 60_001 })).toEqual([
    'time.verdict_within is 60 s, certification allows 60 s at the most',
  ])
})

test('each time above its limit is told', () => {
  expect(excess({ requestWithinMs: 31_000, scenarioWithinMs: 301_000 })).toEqual([
    'time.request_within is 31 s, certification allows 30 s at the most',
    'time.scenario_within is 301 s, certification allows 300 s at the most',
  ])
})

test('a lifetime of the deployment has no limit', () => {
  expect(excess({ tokenLifetimeMs: 1e9 })).toEqual([])
})

test('every time has a default', () => {
  expect(Object.keys(DEFAULT_TIMES)).toEqual(TIME_LIMITS.map(({ name }) => name))
})
