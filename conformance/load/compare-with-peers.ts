import { openPeers, type PeerCounts, type Place } from './idle-peers.ts'
import { type Latencies, measureClient } from './measure-client.ts'

/** What a client sees without connections that somebody holds open, and with them, within one run. */
export interface Comparison {
  readonly before: Latencies
  readonly during: Latencies
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
  const peers = await openPeers(place, counts)
  try {
    const during = await measureClient(place, PATH, requests)
    return { before, during, held: peers.open() }
  } finally {
    peers.close()
  }
}
