import type { AttestationTimes } from './order.ts'

/** The attestations of one kind of agent in a time range. */
export interface AttestationCounts {
  readonly agents: number
  readonly attestations: number
  readonly missed: number
  /** Milliseconds that the longest wait between two of the same agent took. */
  readonly longest: number
  /** Milliseconds of one attestation. */
  readonly p50: number
  readonly p95: number
}

/** An agent is late when it has waited for so many intervals. */
const LATE = 1.5

/**
 * Counts what ended from one instant to another, agent by agent. An interval is missed when none of the agent ended within
 * one and a half intervals of the one before: it began half an interval late at the least. Who waits for three intervals
 * missed two. The time before the first and after the last counts too, or a silent agent would miss none.
 */
export function countAttestations(
  byAgent: readonly (readonly AttestationTimes[])[],
  [from, to]: readonly [number, number],
  interval: number,
): AttestationCounts {
  const within = byAgent.map((attestations) => attestations.filter(([at]) => at >= from && at < to))
  const gaps = byAgent.flatMap((attestations) => gapsOf(attestations, from, to))
  const took = within
    .flatMap((attestations) => attestations.map(([, ms]) => ms))
    .toSorted((a, b) => a - b)
  return {
    agents: byAgent.length,
    attestations: took.length,
    missed: gaps.reduce((sum, gap) => sum + missedIn(gap, interval), 0),
    longest: Math.max(0, ...gaps),
    p50: percentile(took, 50),
    p95: percentile(took, 95),
  }
}

function missedIn(gap: number, interval: number): number {
  return gap <= LATE * interval ? 0 : Math.max(1, Math.round(gap / interval) - 1)
}

function gapsOf(
  attestations: readonly AttestationTimes[],
  from: number,
  to: number,
): readonly number[] {
  const times = attestations.map(([at]) => at).toSorted((a, b) => a - b)
  const before = times.findLast((time) => time < from) ?? from
  const edges = [before, ...times.filter((time) => time >= from && time < to), to]
  return edges.slice(1).map((time, at) => time - (edges[at] ?? time))
}

/** Of ascending values; 0 of none. */
function percentile(values: readonly number[], percent: number): number {
  return values[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? 0
}
