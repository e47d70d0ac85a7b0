import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Asked } from './asked.ts'

/** One thing that reached an agent: a request, or a connection that was spoiled before there was one. */
export interface PullRequest extends Asked {
  /** Milliseconds on the clock that the agent was given. */
  readonly at: number
  /** Counted from 1; undefined for what is no poll. */
  readonly poll: number | undefined
  /** Which of the agent's connections it came on, counted from 1. */
  readonly connection: number
  /** SHA-256 of the client certificate that came with the connection; undefined without one. */
  readonly certificate: string | undefined
  /** Whether the client certificate comes from the CA that the agent trusts. */
  readonly authorized: boolean
  readonly resumed: boolean
  readonly body: string
}

/** Who is at the other end. A resumed session counts as authorized without any certificate, so both are told. */
export function readPeer(socket: IncomingMessage['socket']): Peer {
  if (!('getPeerX509Certificate' in socket)) return ANONYMOUS
  const tls = socket as TLSSocket
  const certificate = tls.getPeerX509Certificate()
  const authorized = tls.authorized && certificate !== undefined
  return { certificate: certificate?.fingerprint256, authorized, resumed: tls.isSessionReused() }
}

type Peer = Pick<PullRequest, 'certificate' | 'authorized' | 'resumed'>

export const ANONYMOUS: Peer = { certificate: undefined, authorized: false, resumed: false }

const MOST_BYTES = 4 * 1024 * 1024

/** The body of a request; what is beyond 4 MiB is left out. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= MOST_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
