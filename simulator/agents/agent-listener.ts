import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { answerUnread, type UnreadBytes } from './http/unread-bytes.ts'
import type { ServerCertificate } from './server-certificate.ts'

/** A second loopback address of this machine. Other systems than Linux have only the usual one. */
export const OTHER_HOST = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'

export interface ListenerOptions {
  /** The registered server certificate. */
  readonly certificate: ServerCertificate
  /** The certificate that it presents if its script says so. */
  readonly otherCertificate?: ServerCertificate
  /** PEM of the CA that issues client certificates. */
  readonly clientCa: string
  /**
   * `demanded` refuses a client without a certificate of that CA in the handshake, `asked` accepts it, and `plain`
   * is HTTP without TLS, as before API 2.0. Default `demanded`.
   */
  readonly clients?: 'demanded' | 'asked' | 'plain'
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0, which is any free port. */
  readonly port?: number
  /**
   * Called first with every connection; returns true if it handled it. `other` completes the handshake with the
   * other certificate.
   */
  readonly onConnection: (
    socket: Socket,
    connection: number,
    other: (socket: Socket) => void,
  ) => boolean
  readonly onRequest: (
    request: IncomingMessage,
    response: ServerResponse,
    connection: number,
  ) => Promise<void>
  /** Called with bytes that are no HTTP, which are answered with an error. */
  readonly onUnread: (bytes: UnreadBytes, socket: Socket, connection: number) => void
}

/** The listener of an agent: one port, on which connections can be disturbed before TLS begins. */
export interface AgentListener {
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

const KEPT_ALIVE_MS = 120_000

/** The longest time from the first byte of a request to its last. */
const REQUEST_MS = 30_000

/** Opens the listener; resolves when it accepts connections. */
export async function openListener(options: ListenerOptions): Promise<AgentListener> {
  const { host = '127.0.0.1', port = 0, onConnection } = options
  const sockets = new Set<Socket>()
  const numbers = new Map<number | undefined, number>()
  let connections = 0
  const serve = serverOf(options, options.certificate, numbers)
  const serveOther = serverOf(options, options.otherCertificate ?? options.certificate, numbers)
  const front = createServer((socket) => {
    sockets.add(socket)
    connections += 1
    const { remotePort } = socket
    numbers.set(remotePort, connections)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      numbers.delete(remotePort)
    })
    if (!onConnection(socket, connections, serveOther)) serve(socket)
  })
  await listen(front, port, host)
  const address = front.address()
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => close(front, sockets),
  }
}

/** A server without its own port: connections are passed to it. */
function serverOf(
  { clientCa, clients = 'demanded', onRequest, onUnread }: ListenerOptions,
  { certificate, key }: ServerCertificate,
  numbers: ReadonlyMap<number | undefined, number>,
): (socket: Socket) => void {
  const numberOf = ({ remotePort }: Socket) => numbers.get(remotePort) ?? 0
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    onRequest(request, response, numberOf(request.socket)).catch(() => request.socket.destroy())
  }
  const limits = { keepAliveTimeout: KEPT_ALIVE_MS, requestTimeout: REQUEST_MS }
  const secure = { cert: certificate, key, ca: clientCa, requestCert: true }
  const server =
    clients === 'plain'
      ? createHttp(limits, listener)
      : createHttps({ ...limits, ...secure, rejectUnauthorized: clients === 'demanded' }, listener)
  server.on('tlsClientError', () => undefined)
  answerUnread(server, (bytes, socket) => onUnread(bytes, socket, numberOf(socket)))
  return (socket) => void server.emit('connection', socket)
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}
