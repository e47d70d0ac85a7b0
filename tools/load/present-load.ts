import type { PeerCounts } from '../../conformance/client/idle-peers.ts'
import { type Comparison, ratioOf } from './compare-with-peers.ts'
import type { Latency } from './percentile.ts'
import { percentile } from './percentile.ts'

const WAYS = ['fresh', 'kept'] as const

/** One round at one component, in a line for each way of asking. */
export function presentComparison(
  role: string,
  { idle, halves }: PeerCounts,
  comparison: Comparison,
): string {
  const { before, during, after, held } = comparison
  return WAYS.map((way) => {
    const baseline = `before ${shown(before[way])}; after ${shown(after[way])}`
    const line = `${role}  ${way} connections: ${baseline}; with ${idle} idle and ${halves} half hellos ${shown(during[way])}; p95 ratio ${ratioOf(comparison, way).toFixed(2)}`
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
      comparisons.map((one) => ratioOf(one, way)),
      50,
    ),
  )
  const ratio = Math.max(...medians)
  const told = WAYS.map((way, at) => `${way} ${medians[at]?.toFixed(2)}`).join(', ')
  const verdict = ratio <= limit ? 'within' : 'over'
  return { ratio, line: `${role}  median p95 ratio: ${told}; ${verdict} its limit of ${limit}` }
}
