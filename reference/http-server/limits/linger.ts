import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Milliseconds for which further input is read and discarded, so that the answer is not lost with a reset. */
const LINGER_TIME = 2000

/** Bytes of a body that are read and thrown away for the sake of the connection, which costs more to make. */
const THROWN_AWAY = 64 * 1024

/**
 * Whether the sender of a request still has much of a body to send, or may be waiting to. A small one, whose length
 * is known, Node takes in and drops once the answer is out.
 */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false
  const { expect, 'transfer-encoding': coding, 'content-length': length = '0' } = headers
  return expect !== undefined || coding !== undefined || Number(length) > THROWN_AWAY
}

/** Requests whose bodies are thrown away at a time; those of others stay with their senders, until their time is over. */
const THROWN_AWAY_AT_ONCE = 2

/** The requests of this process whose bodies are being thrown away. */
const ofProcess = new Set<IncomingMessage>()

/** Bytes that are read at a stretch of a body that is thrown away; each takes memory that has to be collected. */
const STRETCH = 256 * 1024

/** Milliseconds between two stretches: 16 MB fit into the time for which they are read. */
const REST = 25

/** Throws the rest of a body away, in stretches, unless many others are. */
function throwAway(request: IncomingMessage, thrownAway: Set<IncomingMessage>): void {
  if (thrownAway.size >= THROWN_AWAY_AT_ONCE) return
  thrownAway.add(request)
  for (const event of ['end', 'close']) request.once(event, () => thrownAway.delete(request))
  let read = 0
  request.on('data', ({ length }: Uint8Array) => {
    read += length
    if (read < STRETCH) return
    read = 0
    request.pause()
    setTimeout(() => request.resume(), REST)
  })
}

/**
 * Sends a whole response while the body of the request is still under way, and ends the connection: what is left
 * of the body is thrown away for a moment, as a connection that is closed over unread bytes takes the response
 * with it, and is never read as a request. `thrownAway` holds the requests of which this is done now.
 */
export function sendAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: FinalReply,
  thrownAway = ofProcess,
): void {
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': body.length })
  response.write(body)
  const timer = setTimeout(() => response.end(), LINGER_TIME)
  for (const event of ['end', 'close'] as const) request.once(event, () => response.end())
  response.once('close', () => clearTimeout(timer))
  throwAway(request, thrownAway)
}

export interface FinalReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Uint8Array
}

/** Sends the last bytes of a connection whose requests cannot be separated any more. */
export function endWith(socket: Duplex, bytes: Uint8Array): void {
  socket.end(bytes)
  const timer = setTimeout(() => socket.destroy(), LINGER_TIME)
  socket.once('close', () => clearTimeout(timer))
}
