import { request } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { outliveAnswer } from '../../../simulator/agents/http/outlive-answer.ts'
import type { HttpsClient } from '../https-client.ts'
import type { Credentials } from '../identity.ts'
import type { TlsProtocol } from './secure-contexts.ts'

const TICKET_MS = 3000

/**
 * Opens a TLS connection that resumes an earlier session of the same credentials: connects, sends one
 * request so that a TLS 1.3 server sends its ticket, and connects again with the ticket.
 * Undefined if the subject sent no ticket or did not accept it.
 */
export async function resumeTls(
  client: HttpsClient,
  url: string,
  credentials: Credentials,
): Promise<TLSSocket | undefined> {
  const options = connectionOptions(client, url, credentials)
  const session = await takeTicket(options, url)
  if (session === undefined) return undefined
  const socket = await connected({ ...options, session })
  if (socket.isSessionReused()) return socket
  socket.destroy()
  return undefined
}

/**
 * A session to resume with these credentials: a ticket, or the id of a TLS 1.2 session. Undefined if the subject
 * issued none, or refused the certificate or the protocol.
 */
export async function takeSession(
  client: HttpsClient,
  url: string,
  credentials: Credentials,
  protocol: TlsProtocol,
): Promise<Buffer | undefined> {
  const options = connectionOptions(client, url, credentials, protocol)
  return takeTicket(options, url).catch(() => undefined)
}

function connectionOptions(
  { contexts }: HttpsClient,
  url: string,
  credentials: Credentials,
  protocol?: TlsProtocol,
): ConnectionOptions {
  const { hostname, port } = new URL(url)
  const secureContext = contexts.of(credentials, protocol)
  return { host: hostname, port: Number(port || 443), secureContext }
}

async function takeTicket(options: ConnectionOptions, url: string): Promise<Buffer | undefined> {
  const socket = await connected(options)
  // A TLS 1.2 session is complete now; TLS 1.3 sends the ticket with application data.
  const session =
    socket.getProtocol() === 'TLSv1.3' ? await ticketOf(socket, url) : socket.getSession()
  socket.destroy()
  return session
}

/** Sends a harmless request and waits for the ticket or the end; a server that refuses the certificate sends no ticket. */
function ticketOf(socket: TLSSocket, url: string): Promise<Buffer | undefined> {
  const ticket = new Promise<Buffer | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TICKET_MS)
    const end = (session?: Buffer) => {
      clearTimeout(timer)
      resolve(session)
    }
    socket.once('session', end)
    socket.once('close', () => end())
  })
  const probe = request(`${url}/version`, { createConnection: () => socket })
  probe.on('response', (response) => response.resume())
  probe.on('socket', outliveAnswer)
  probe.on('error', () => undefined)
  probe.end()
  return ticket
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
