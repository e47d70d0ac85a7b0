import { duration } from '../visible.ts'

/** Share of the work before which no remaining time is shown: the first steps say little of the rest. */
const LEAST_DONE = 0.03

const SECOND = 1000
const MINUTE = 60 * SECOND

const upTo = (ms: number, step: number): number => Math.max(1, Math.ceil(ms / step)) * step

/** A remaining time is an estimate: in steps of 5 s, from a minute on of 10 s, from ten minutes on of a minute. */
function roundedUp(ms: number): number {
  if (ms < MINUTE) return upTo(ms, 5 * SECOND)
  return upTo(ms, ms < 10 * MINUTE ? 10 * SECOND : MINUTE)
}

/** `8 s`, `1 min 05 s`. */
export const wholeSeconds = (ms: number): string =>
  ms < MINUTE ? `${Math.floor(ms / SECOND)} s` : duration(Math.floor(ms / SECOND) * SECOND)

/**
 * Elapsed and remaining time: `35 s, about 1 min 20 s left`. `done` is the share of the work that is done; `most` is the
 * longest that the rest may take, in milliseconds.
 */
export function presentTimes(
  elapsed: number,
  done: number,
  most = Number.POSITIVE_INFINITY,
): string {
  const expected = done < LEAST_DONE ? Number.POSITIVE_INFINITY : (elapsed * (1 - done)) / done
  const left = Math.min(expected, most)
  if (done >= 1 || !Number.isFinite(left)) return wholeSeconds(elapsed)
  return `${wholeSeconds(elapsed)}, about ${wholeSeconds(roundedUp(left))} left`
}
