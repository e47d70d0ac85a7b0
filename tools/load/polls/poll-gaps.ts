import { percentile } from '../percentile.ts'
import type { PollTimes } from './agent-host.ts'

/** What agents saw of the verifier in a stretch of time. */
export interface PollCounts {
  readonly polls: number
  /** Milliseconds between two polls of the same agent. */
  readonly gap: { readonly p50: number; readonly p95: number; readonly most: number }
  /** Intervals that ended without a poll, of all agents together. */
  readonly missed: number
  readonly fewest: number
}

/**
 * Counts the polls from one instant to another. An interval is missed when the next poll comes later than two
 * intervals after the last: a verifier that is late by less has still asked once for each.
 */
export function countPolls(
  times: PollTimes,
  [from, to]: readonly [number, number],
  interval: number,
): PollCounts {
  const within = times.map((own) => own.filter((time) => time >= from && time < to))
  // What comes before the first poll and after the last one counts as well, or an agent that is forgotten had no gap.
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
