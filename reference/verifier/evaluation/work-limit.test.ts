import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchWork } from './work-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How long a thread is let work that gets this part of a processor; `worked` of its CPU time. */
function watched(worked: (passed: number) => number | undefined) {
  const start = Date.now()
  let ended: number | undefined
  const end = watchWork(
    1000,
    () => worked(Date.now() - start),
    () => {
      ended = Date.now() - start
    },
  )
  return {
    end,
    endedAfter: () => {
      vi.advanceTimersByTime(1_000_000)
      return ended
    },
  }
}

test.each([
  ['a whole processor', 1, 1000],
  ['half of one', 0.5, 2000],
  ['a twentieth of one', 0.05, 20_000],
])('work on %s ends by CPU time', (_, share, expected) => {
  const ended = watched((passed) => 500 + passed * share).endedAfter()
  expect(ended).toBeGreaterThanOrEqual(expected)
  expect(ended).toBeLessThan(expected + 500)
})

test('a thread that waits for nothing is over, at once or later', () => {
  expect(watched(() => 500).endedAfter()).toBe(1000)
  expect(watched((passed) => Math.min(passed, 300)).endedAfter()).toBe(1700)
})

test('where the CPU time is not known, the clock decides', () => {
  expect(watched(() => undefined).endedAfter()).toBe(1000)
})

test('work that ended in time is not watched any more', () => {
  const { end, endedAfter } = watched((passed) => passed)
  end()
  expect(endedAfter()).toBeUndefined()
})
