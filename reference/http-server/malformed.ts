import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { presentEnvelopeError } from '../api/envelope.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Connections } from './limits/connections.ts'
import { endWith } from './limits/linger.ts'

/** What Node's parser refuses, in our words; the beginning of its code -> ours. */
const REFUSALS: readonly (readonly [string, ErrorCode, string])[] = [
  ['HPE_HEADER_OVERFLOW', 'headers_too_large', 'The headers of the request are too large.'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'body_too_large', 'The chunk extensions are too large.'],
  ['HPE_INVALID_METHOD', 'not_implemented', 'There is no such method.'],
  ['HPE_', 'malformed_request', 'The request is not HTTP/1.1.'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout', 'The request did not come in time.'],
]

/** Refuses malformed requests and ends the connection: a listener for `clientError`. */
export function refuseMalformed({ inHand }: Pick<Connections, 'inHand'>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    const refusal = REFUSALS.find(([code]) => error.code?.startsWith(code))
    const responses = inHand(socket)
    const last = responses.at(-1)
    // After a failed TLS handshake no HTTP reply is possible.
    if (refusal === undefined || !socket.writable) socket.destroy()
    // A good request came before: its answer is the last one of this connection.
    else if (last?.req.complete) last.shouldKeepAlive = false
    // A refusal before pending answers would be mistaken for one of them.
    else if (responses.length > 1 || last?.headersSent) socket.destroy()
    else endWith(socket, rawReply(new ApiError(refusal[1], refusal[2])))
  }
}

/** Refuses CONNECT, which Node hands over with a bare socket. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  endWith(socket, rawReply(new ApiError('not_implemented', 'There is no way through this server.')))
}

/** A whole response outside of any request, in bytes. */
function rawReply(error: ApiError): Uint8Array {
  const body = JSON.stringify(presentEnvelopeError(error))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
