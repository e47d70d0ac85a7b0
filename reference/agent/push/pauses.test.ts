import { expect, test } from 'vitest'
import { seededRandom } from '../../dev/testing/seeded-random.ts'
import { NOON } from '../../dev/testing/settable-clock.ts'
import { backoffPause, failurePause, nextInterval, parseRetryAfter } from './pauses.ts'

const PAUSES = {
  ...{ initialDelay: 1000, maxDelay: 20_000, jitter: 0.25 },
  ...{ interval: 60_000, leastInterval: 1000, mostInterval: 3_600_000 },
}
const drawing = (byte: number) => ({ bytes: (count: number) => new Uint8Array(count).fill(byte) })
const ROW = [1, 2, 3, 4, 5, 6, 60, 2000]

test('without chance each wait is twice the one before, up to the longest', () => {
  const waits = ROW.map((failures) => backoffPause(PAUSES, failures, drawing(0)))
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000])
})

test('jitter shortens a wait by a limited part, so that waits always grow', () => {
  expect(backoffPause(PAUSES, 1, drawing(255))).toBe(750)
  const random = seededRandom()
  for (let run = 0; run < 200; run++) {
    const [one = 0, two = 0, three = 0] = [1, 2, 3].map((at) => backoffPause(PAUSES, at, random))
    expect(one < two && two < three).toBe(true)
  }
})

test('two agents that failed together do not come back together', () => {
  const waits = ['a', 'b', 'c'].map((seed) => backoffPause(PAUSES, 4, seededRandom(seed)))
  expect(new Set(waits).size).toBe(3)
})

test.each([
  [3000, 3000],
  [20_000, 20_000],
  [20_001, 20_000],
  [86_400_000, 20_000],
  [0, 1000],
  [undefined, 1000],
])('asked to wait %o ms after a first failure, it waits %o', (retryAfter, waited) => {
  expect(failurePause(PAUSES, 1, retryAfter, drawing(0))).toBe(waited)
})

test.each([
  [2, 2000],
  [1.5, 1500],
  [0, 1000],
  [86_400, 3_600_000],
  [-1, 60_000],
  [Number.NaN, 60_000],
  ['10', 60_000],
  [null, 60_000],
  [undefined, 60_000],
])('seconds_to_next_attestation %o is a wait of %o ms', (seconds, waited) => {
  expect(nextInterval(PAUSES, seconds)).toBe(waited)
})

const IN_TEN = new Date(NOON - 678 + 10_000).toUTCString()
const AN_HOUR_AHEAD = new Date(NOON - 678 + 3_600_000).toUTCString()
const TEN_LATER = new Date(NOON - 678 + 3_610_000).toUTCString()

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': ' 0 ' }, 0],
  [{ 'retry-after': IN_TEN }, 10_000 - 678],
  [{ 'retry-after': TEN_LATER, date: AN_HOUR_AHEAD }, 10_000],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': '1.5' }, undefined],
  [{ 'retry-after': '2026-01-02' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('%o asks to wait %o ms', (headers, asked) => {
  expect(parseRetryAfter(headers, NOON)).toBe(asked)
})
