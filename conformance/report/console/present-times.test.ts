import { expect, test } from 'vitest'
import { presentTimes } from './present-times.ts'

test.each([
  ['at the begin', 5, 0, '5 s'],
  ['too early for an estimate', 5, 0.02, '5 s'],
  ['in steps of five seconds', 9, 0.5, '9 s, about 10 s left'],
  ['shortly before the end', 100, 0.999, '1 min 40 s, about 5 s left'],
  ['from a minute on in steps of ten seconds', 61, 0.5, '1 min 01 s, about 1 min 10 s left'],
  ['from ten minutes on in minutes', 601, 0.5, '10 min 01 s, about 11 min 00 s left'],
  ['at the end', 40, 1, '40 s'],
])('%s', (_, seconds, done, shown) => {
  expect(presentTimes(seconds * 1000, done)).toBe(shown)
})

test('a limit of time bounds the estimate', () => {
  expect(presentTimes(10_000, 0, 20_000)).toBe('10 s, about 20 s left')
  expect(presentTimes(10_000, 0.1, 20_000)).toBe('10 s, about 20 s left')
  expect(presentTimes(10_000, 0.9, 20_000)).toBe('10 s, about 5 s left')
})
