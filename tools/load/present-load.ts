import type { PeerCounts } from '../../conformance/client/idle-peers.ts'
import { type Comparison, ratioOf } from './compare-with-peers.ts'
import type { Latency } from './percentile.ts'
import { percentile } from './percentile.ts'

const WAYS = ['fresh', 'kept'] as const
const LABELS = { fresh: 'new', kept: 'kept' } as const

/** One round at one component: a line for new connections and a line for the kept one. */
export function presentComparison(
  role: string,
  { idle, halves }: PeerCounts,
  comparison: Comparison,
): string {
  const { before, during, after, held } = comparison
  return WAYS.map((way) => {
    const baseline = `before ${shown(before[way])}; after ${shown(after[way])}`
    const line = `${role}  ${LABELS[way]} connections: ${baseline}; with ${idle} idle and ${halves} half ClientHellos ${shown(during[way])}; p95 ratio ${ratioOf(comparison, way).toFixed(2)}`
    return way === 'kept' ? `${line}; ${held} of ${idle + halves} open at the end` : line
  }).join('\n')
}

function shown({ p50, p95 }: Latency): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
}

interface LoadVerdict {
  /** The larger of the two medians over all rounds. */
  readonly ratio: number
  readonly line: string
}

/** The median ratios of new and kept connections, and whether the larger one is within the limit. */
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
  const ratios = WAYS.map((way, at) => `${LABELS[way]} ${medians[at]?.toFixed(2)}`).join(', ')
  const verdict = ratio <= limit ? 'within' : 'over'
  return { ratio, line: `${role}  median p95 ratio: ${ratios}; ${verdict} the limit of ${limit}` }
}
