import type { Comparison } from './compare-with-peers.ts'
import type { PeerCounts } from './idle-peers.ts'
import type { Latency } from './percentile.ts'
import { percentile } from './percentile.ts'

const WAYS = ['fresh', 'kept'] as const

/** One round at one component, in a line for each way of asking. */
export function presentComparison(
  role: string,
  { idle, halves }: PeerCounts,
  { before, during, held }: Comparison,
): string {
  return WAYS.map((way) => {
    const ratio = (during[way].p95 / before[way].p95).toFixed(2)
    const line = `${role}  ${way} connections: ${shown(before[way])}; with ${idle} idle and ${halves} half hellos ${shown(during[way])}; p95 ratio ${ratio}`
    return way === 'kept' ? `${line}; ${held} of ${idle + halves} held to the end` : line
  }).join('\n')
}

function shown({ p50, p95 }: Latency): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
}

export interface LoadVerdict {
  /** The worse of the two medians over all rounds. */
  readonly ratio: number
  readonly line: string
}

/** The median of the ratios of each way, and whether the worse one is within its limit. */
export function presentVerdict(
  role: string,
  comparisons: readonly Comparison[],
  limit: number,
): LoadVerdict {
  const medians = WAYS.map((way) =>
    percentile(
      comparisons.map(({ before, during }) => during[way].p95 / before[way].p95),
      50,
    ),
  )
  const ratio = Math.max(...medians)
  const told = WAYS.map((way, at) => `${way} ${medians[at]?.toFixed(2)}`).join(', ')
  const verdict = ratio <= limit ? 'within' : 'over'
  return { ratio, line: `${role}  median p95 ratio: ${told}; ${verdict} its limit of ${limit}` }
}
