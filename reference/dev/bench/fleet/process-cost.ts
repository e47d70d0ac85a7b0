import { readFileSync } from 'node:fs'

/** What processes have cost so far. */
export interface Cost {
  /** Milliseconds of CPU, of all their threads, in user and system mode. */
  readonly cpu: number
  /** Resident memory in bytes. */
  readonly rss: number
}

/** USER_HZ, which is 100 on every Linux. */
const TICK_MS = 10

function costOf(pid: number): Cost {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // Fields 14 and 15, counted from the name in parentheses, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return { cpu: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rss: Number(rss ?? 0) * 1024 }
}

/** The cost of several processes together. @throws one of them is gone */
export function costOfAll(pids: readonly number[]): Cost {
  const costs = pids.map(costOf)
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, one) => total + of(one), 0)
  return { cpu: sum(({ cpu }) => cpu), rss: sum(({ rss }) => rss) }
}

/** What values grow by in a minute, by the straight line nearest to them; `at` is in milliseconds. */
export function slopePerMinute(
  samples: readonly { readonly at: number; readonly value: number }[],
): number {
  const mean = (of: (sample: { at: number; value: number }) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(({ at }) => at), mean(({ value }) => value)]
  const above = samples.reduce((sum, { at, value }) => sum + (at - x) * (value - y), 0)
  const below = samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  return below === 0 ? 0 : (above / below) * 60_000
}
