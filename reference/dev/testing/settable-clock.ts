import type { Clock } from '../../platform/clock.ts'

/** 2026-01-02T03:04:05.678Z */
export const NOON = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

/** A clock that moves only when it is set. */
export interface SettableClock extends Clock {
  pass(seconds: number): void
  /** Sets the time of the machine, ahead or back. */
  set(seconds: number): void
  /** Nothing can act for so long. */
  sleep(seconds: number): void
}

export function settableClock(start = NOON): SettableClock {
  let now = start
  let awake = 0
  const move = (seconds: number): void => {
    now += seconds * 1000
  }
  return {
    now: () => now,
    awake: () => awake,
    pass: (seconds) => {
      move(seconds)
      awake += seconds * 1000
    },
    set: move,
    sleep: move,
  }
}
