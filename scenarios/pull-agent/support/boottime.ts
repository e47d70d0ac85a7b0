import { steadyClock } from '../../../conformance/recording/outside.ts'

/** A boottime above it is an instant, in seconds since 1970. */
const FIRST_INSTANT = 1_000_000_000
/** Milliseconds by which two clocks may differ in some seconds. */
const TOLERANCE_MS = 100

/** Arguments of `matches` for two boottimes of one boot: at least `leastMs` and at most `mostMs` lie between them. */
export function growthOfBoottime(leastMs: number, mostMs: number) {
  const least = Math.floor((leastMs - TOLERANCE_MS) / 1000)
  const most = Math.ceil((mostMs + TOLERANCE_MS) / 1000)
  const holds = ([first, second]: readonly unknown[]) => {
    const grown = Number(second) - Number(first)
    return Number(first) < FIRST_INSTANT ? grown >= least && grown <= most : Math.abs(grown) <= 1
  }
  return [`${least} to ${most} more at the second time, or the same instant`, holds] as const
}

/** The value of a step, and the times at which it began and ended, in milliseconds. */
export async function timed<T>(step: () => Promise<T>) {
  const from = steadyClock()
  const value = await step()
  return { value, from, to: steadyClock() }
}
