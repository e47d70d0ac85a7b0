import { expect, test } from 'vitest'
import { awakeTime, timestamp } from './clock.ts'

test('a timestamp is ISO 8601 in UTC with microseconds', () => {
  expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006000Z')
})

/** Waking time, by a clock that the test moves; `measure` is the timer. */
function waking() {
  let now = 5000
  let measure = (): void => undefined
  const awake = awakeTime(
    () => now,
    (again) => {
      measure = again
    },
  )
  const pass = (milliseconds: number): void => {
    now += milliseconds
    measure()
  }
  return { awake, pass }
}

test('waking time begins at 0 and passes with the monotonic clock', () => {
  const { awake, pass } = waking()
  expect(awake()).toBe(0)
  for (let count = 0; count < 6; count++) pass(500)
  expect(awake()).toBe(3000)
})

test('of an hour in which the process was stopped a second counts', () => {
  const { awake, pass } = waking()
  awake()
  pass(3_600_000)
  expect(awake()).toBe(1000)
  pass(500)
  expect(awake()).toBe(1500)
})
