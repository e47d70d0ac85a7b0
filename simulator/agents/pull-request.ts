import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { AgentRequest } from './request-line.ts'

/** A request to the agent, or a connection that was disturbed before a request. */
export interface PullRequest extends AgentRequest {
  /** Milliseconds on the agent's clock. */
  readonly at: number
  /** Counted from 1; undefined if it is not a poll. */
  readonly poll: number | undefined
  /** Number of the agent's connection, counted from 1. */
  readonly connection: number
  /** SHA-256 of the client certificate of the connection; undefined without one. */
  readonly certificate: string | undefined
  /** Whether the client certificate was issued by the CA that the agent trusts. */
  readonly authorized: boolean
  readonly resumed: boolean
  readonly body: string
}

/** Describes the peer. A resumed session counts as authorized without a certificate, so both are returned. */
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

/** Reads the body of a request, truncated at 4 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= MOST_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
