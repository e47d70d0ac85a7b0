import { request } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { HttpsClient } from './https-client.ts'
import type { Speaker } from './identity.ts'

const TICKET_MS = 3000

/**
 * A TLS connection of that speaker which resumes an earlier session of the same speaker: connects,
 * asks once so that a TLS 1.3 server sends its ticket, and connects again with the ticket.
 * Undefined when the subject gave no ticket or did not honour it.
 */
export async function resumeTls(
  client: HttpsClient,
  url: string,
  speaker: Speaker,
): Promise<TLSSocket | undefined> {
  const options = connectionOptions(client.ca, url, speaker)
  const session = await takeTicket(options, url)
  if (session === undefined) return undefined
  const socket = await connected({ ...options, session })
  if (socket.isSessionReused()) return socket
  socket.destroy()
  return undefined
}

function connectionOptions(ca: string, url: string, { certificate }: Speaker): ConnectionOptions {
  const { hostname, port } = new URL(url)
  const shown = certificate && { cert: certificate.cert, key: certificate.key }
  return { host: hostname, port: Number(port || 443), ca, ...shown }
}

async function takeTicket(options: ConnectionOptions, url: string): Promise<Buffer | undefined> {
  const socket = await connected(options)
  const ticket = new Promise<Buffer | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TICKET_MS)
    socket.once('session', (session) => {
      clearTimeout(timer)
      resolve(session)
    })
  })
  // A TLS 1.3 ticket travels with application data, so one harmless request goes first.
  const asked = request(`${url}/version`, { createConnection: () => socket })
  asked.on('response', (response) => response.resume())
  asked.on('error', () => undefined)
  asked.end()
  const session = await ticket
  socket.destroy()
  return session
}

function connected(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options, () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
