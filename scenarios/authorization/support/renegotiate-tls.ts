import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { HttpsClient } from '../../../conformance/client/https-client.ts'
import type { Credentials } from '../../../conformance/client/identity.ts'
import { outside } from '../../../conformance/recording/outside.ts'

const ANSWER_MS = 5000

/** Result of a second handshake on a TLS 1.2 connection. */
interface Renegotiated {
  /** `none`: no answer within the time limit. */
  readonly outcome: 'renegotiated' | 'refused' | 'none'
  /** The connection, if it is still open. */
  readonly socket?: TLSSocket
}

/**
 * Connects with these credentials over TLS 1.2 and requests a second handshake on the same connection. Undefined if
 * the subject does not support TLS 1.2.
 */
export async function renegotiateTls(
  { contexts }: HttpsClient,
  url: string,
  credentials: Credentials,
): Promise<Renegotiated | undefined> {
  const { hostname, port } = new URL(url)
  const secureContext = contexts.of(credentials, 'TLSv1.2')
  const place = { host: hostname, port: Number(port || 443), secureContext }
  const socket = await outside(() => connected(place))
  if (socket === undefined) return undefined
  const ended = new Promise<'refused'>((resolve) => {
    for (const event of ['close', 'error']) socket.once(event, () => resolve('refused'))
  })
  const second = new Promise<'renegotiated' | 'refused'>((resolve) => {
    socket.renegotiate({}, (error) => resolve(error ? 'refused' : 'renegotiated'))
  })
  const outcome = await Promise.race([ended, second, silence()])
  // The alert of a refusal arrives before the end that it announces.
  if (outcome === 'refused') await Promise.race([ended, silence()])
  return socket.destroyed ? { outcome } : { outcome, socket }
}

function silence(): Promise<'none'> {
  return new Promise((resolve) => setTimeout(() => resolve('none'), ANSWER_MS).unref())
}

function connected(options: ConnectionOptions): Promise<TLSSocket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(options, () => resolve(socket))
    // Later errors reach the listeners added later.
    socket.on('error', () => resolve(undefined))
  })
}
