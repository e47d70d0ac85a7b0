import { percentile } from '../percentile.ts'
import type { PollTimes } from './agent-host.ts'

/** Polls that agents received in a period. */
export interface PollCounts {
  readonly polls: number
  /** Milliseconds between two polls of the same agent. */
  readonly gap: { readonly p50: number; readonly p95: number; readonly most: number }
  /** Number of intervals without a poll, summed over all agents. */
  readonly missed: number
  readonly fewest: number
}

/**
 * Counts the polls between two times. An interval is missed if the next poll comes more than two intervals after the
 * last: a smaller delay still leaves one poll per interval.
 */
export function countPolls(
  times: PollTimes,
  [from, to]: readonly [number, number],
  interval: number,
): PollCounts {
  const within = times.map((own) => own.filter((time) => time >= from && time < to))
  // The time before the first poll and after the last one counts, otherwise an agent that is never polled has no gap.
  const gaps = times.flatMap((own) => gapsOf(own, from, to))
  const missed = gaps.reduce((sum, gap) => sum + Math.max(0, Math.floor(gap / interval) - 1), 0)
  return {
    polls: within.reduce((sum, own) => sum + own.length, 0),
    gap: { p50: percentile(gaps, 50), p95: percentile(gaps, 95), most: Math.max(0, ...gaps) },
    missed,
    fewest: Math.min(...within.map((own) => own.length)),
  }
}

function gapsOf(times: readonly number[], from: number, to: number): readonly number[] {
  const before = times.findLast((time) => time < from) ?? from
  const edges = [before, ...times.filter((time) => time >= from && time < to), to]
  const gaps = edges.slice(1).map((time, at) => time - (edges[at] ?? time))
  return gaps
}
