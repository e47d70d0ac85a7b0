import { expect, test } from 'vitest'
import { backOff } from './back-off.ts'

const GROWING = { max_retries: 4, retry_interval: 2, exponential_backoff: true }
const HOUR = 3_600_000

test('each wait is twice as long as the one before, or as long', () => {
  expect(backOff(GROWING)).toEqual([2000, 4000, 8000, 16_000])
  expect(backOff({ ...GROWING, exponential_backoff: false })).toEqual([2000, 2000, 2000, 2000])
})

test('no wait is so long that a timer would end it at once', () => {
  expect(backOff({ ...GROWING, max_retries: 100 }).slice(10, 12)).toEqual([2_048_000, HOUR])
  expect(Math.max(...backOff({ ...GROWING, max_retries: 100 }))).toBe(HOUR)
})
