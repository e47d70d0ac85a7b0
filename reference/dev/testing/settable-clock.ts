import type { Clock } from '../../platform/clock.ts'

/** 2026-01-02T03:04:05.678Z */
export const NOON = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

/** A clock that moves only when it is set. */
export interface SettableClock extends Clock {
  pass(seconds: number): void
}

export function settableClock(start = NOON): SettableClock {
  let now = start
  return {
    now: () => now,
    pass: (seconds) => {
      now += seconds * 1000
    },
  }
}
