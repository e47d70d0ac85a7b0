import { openPeers, type PeerCounts, type Place } from '../../conformance/client/idle-peers.ts'
import { type Latencies, measureClient } from './measure-client.ts'

/** Latency of a client without idle connections and with them, in one run. */
export interface Comparison {
  readonly before: Latencies
  readonly during: Latencies
  /** After they were closed, because the load of the machine may have changed. */
  readonly after: Latencies
  /** Number of connections that were still open when the last response arrived. */
  readonly held: number
}

/** A component without this path answers with 404, which serves as well. */
const PATH = '/version'

export async function compareWithPeers(
  place: Place,
  { requests, ...counts }: PeerCounts & { readonly requests: number },
): Promise<Comparison> {
  const before = await measureClient(place, PATH, requests)
  const { during, held } = await withPeers(place, counts, requests)
  return { before, during, held, after: await measureClient(place, PATH, requests) }
}

async function withPeers(
  place: Place,
  counts: PeerCounts,
  requests: number,
): Promise<Pick<Comparison, 'during' | 'held'>> {
  const peers = await openPeers(place, counts)
  // No connection is held for longer, even if the component is slow.
  const timer = setTimeout(peers.close, LONGEST_MS)
  try {
    const during = await measureClient(place, PATH, requests)
    return { during, held: peers.open() }
  } finally {
    clearTimeout(timer)
    peers.close()
  }
}

const LONGEST_MS = 60_000

/** Ratio of the p95 with connections to the mean of the p95 before and after. */
export function ratioOf({ before, during, after }: Comparison, way: keyof Latencies): number {
  return (2 * during[way].p95) / (before[way].p95 + after[way].p95)
}
