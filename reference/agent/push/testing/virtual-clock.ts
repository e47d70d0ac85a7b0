import { NOON } from '../../../dev/testing/settable-clock.ts'
import type { WaitingClock } from '../environment.ts'

/** A clock whose waits pass at once, and are remembered. */
export interface VirtualClock extends WaitingClock {
  /** Milliseconds of every wait, in order. */
  readonly waits: readonly number[]
  pass(milliseconds: number): void
}

export function virtualClock(start = NOON): VirtualClock {
  let now = start
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    async wait(milliseconds) {
      waits.push(milliseconds)
      now += milliseconds
    },
    pass(milliseconds) {
      now += milliseconds
    },
  }
}
