import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { readBody } from './http/read-body.ts'
import type { AgentRequest } from './request-line.ts'

/**
 * A request to the agent; with an empty method, bytes that are no HTTP, whose first line is the target, or a connection
 * that was disturbed before a request, in place of a poll.
 */
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
  /** The media type of the body as the client names it. */
  readonly contentType?: string | undefined
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

/** Reads the body of a request of at most 4 MiB, and ends the connection of a longer one. */
export async function readRequest(request: IncomingMessage): Promise<string> {
  return (await readBody(request, MOST_BYTES)).toString('utf8')
}
