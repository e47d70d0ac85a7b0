import { openPeers, type PeerCounts, type Place } from '../../conformance/client/idle-peers.ts'
import { type Latencies, measureClient } from './measure-client.ts'

/** What a client sees without connections that somebody holds open, and with them, within one run. */
export interface Comparison {
  readonly before: Latencies
  readonly during: Latencies
  /** Once they are gone: what else the machine has to do may have changed meanwhile. */
  readonly after: Latencies
  /** How many of the connections were still open when the last request was answered. */
  readonly held: number
}

/** Every component has this path, or says that it has not; both are answers. */
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
  // However slow the component is, nothing is held for longer.
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

/** How many times as long the slowest twentieth takes while connections are held, against the mean of before and after. */
export function ratioOf({ before, during, after }: Comparison, way: keyof Latencies): number {
  return (2 * during[way].p95) / (before[way].p95 + after[way].p95)
}
