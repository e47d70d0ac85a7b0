import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createFront, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { parseJson } from '../agents/http/parse-json.ts'
import { BodyTooLong, readBody } from '../agents/http/read-body.ts'
import { answerUnread, SHOWN_BYTES } from '../agents/http/unread-bytes.ts'

/** One received request. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query, unchanged. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
  /** Present for a request over TLS. */
  readonly tls?: { readonly protocol: string; readonly client?: ClientCertificate }
  /** Milliseconds on the clock of `performance.now()`, at its arrival. */
  readonly at: number
}

/** A client certificate of any issuer. */
interface ClientCertificate {
  readonly subject: string
  /** Whether it was issued by the authority of the service and is in date. */
  readonly trusted: boolean
}

/** A status with a body: JSON, or text that is sent unchanged. */
export interface ServedReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds before the first byte. */
  readonly delayMs?: number
  /** Fraction of the body after which the connection is cut, from 0 to 1. */
  readonly cutAt?: number
}

/** An answer, or a reset of the connection. */
export type Answer = ServedReply | 'reset'

export interface Exchange {
  /** Of bytes that are no HTTP the `method` is empty and the `url` their first line. */
  readonly request: ReceivedRequest
  readonly answer: Answer
}

export interface ServiceOptions {
  readonly answer: (request: ReceivedRequest) => Answer | Promise<Answer>
  /** PEM. Clients are asked for a certificate of `ca`, and served without one too. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly ca: string }
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
  /** An address of this machine; default 127.0.0.1. */
  readonly host?: string | undefined
}

/** PEM of a certificate and its key. */
interface Shown {
  readonly certificate: string
  readonly key: string
}

/** Intercepts a connection before TLS begins. */
export type Meeting = (socket: Socket) => void

/** A server on loopback that records its requests. */
export interface Service {
  /** Port without TLS. */
  readonly port: number
  /** Port with TLS; 0 without a certificate. */
  readonly tlsPort: number
  /** In the order of the answers. */
  readonly exchanges: readonly Exchange[]
  /** Number of plain HTTP requests on the TLS port. */
  readonly clearAttempts: number
  /** Number of connections on the TLS port. */
  readonly connections: number
  /** Presents this certificate from now on, and cuts the connections that saw another. */
  show(shown: Shown): void
  /** Passes every new connection to `meeting`, and cuts the open ones; undefined restores TLS. */
  meet(meeting: Meeting | undefined): void
  close(): Promise<void>
}

/** The most bytes of one request, and of all requests that a service keeps. */
const MOST_REQUEST_BYTES = 16 * 1024 * 1024
const MOST_KEPT_BYTES = 8 * MOST_REQUEST_BYTES

/** The longest time from the first byte of a request to its last. */
const REQUEST_MS = 30_000

function tlsOf({ socket }: IncomingMessage): Pick<ReceivedRequest, 'tls'> {
  if (!(socket instanceof TLSSocket)) return {}
  const shown = socket.getPeerX509Certificate()
  const client = shown && {
    subject: shown.subject.replaceAll('\n', ', '),
    trusted: socket.authorized,
  }
  return { tls: { protocol: socket.getProtocol() ?? 'unknown', ...(client && { client }) } }
}

async function readRequest(
  request: IncomingMessage,
  at: number,
  most: number,
): Promise<ReceivedRequest> {
  const tls = tlsOf(request)
  const body = (await readBody(request, most)).toString('utf8')
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: Object.fromEntries(headers),
    body,
    json: parseJson(body),
    ...tls,
    at,
  }
}

/** Records bytes that are no HTTP as an exchange. */
function recordUnread(server: Server, record: (exchange: Exchange) => void): void {
  answerUnread(server, ({ firstLine: url, text, status, reason }) => {
    const at = performance.now()
    const request = { method: '', url, headers: {}, body: text, json: undefined, at }
    record({ request, answer: { status, body: { code: status, status: reason, results: {} } } })
  })
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer === 'reset') {
    response.socket?.destroy()
    return
  }
  const { status, body = '', headers = {}, delayMs = 0, cutAt } = answer
  if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const head = { 'content-type': 'application/json', ...headers }
  if (cutAt === undefined) {
    response.writeHead(status, head).end(text)
    return
  }
  const bytes = Buffer.from(text)
  response.writeHead(status, { ...head, 'content-length': String(bytes.length) })
  response.write(bytes.subarray(0, Math.floor(bytes.length * cutAt)), () =>
    response.socket?.destroy(),
  )
}

interface Listening {
  readonly port: number
  /** Cuts every open connection. */
  cut(): void
  close(): Promise<void>
}

async function listen(server: Server, host: string): Promise<Listening> {
  const sockets = new Set<Socket>()
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    })
  server.listen(0, host)
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, cut, close }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** OpenSSL's error code for plain HTTP in place of a ClientHello. */
const IN_THE_CLEAR = 'ERR_SSL_HTTP_REQUEST'

/** Opens a port on which connections can be intercepted before TLS begins. */
async function listenSecurely(
  { host, ...tls }: NonNullable<ServiceOptions['tls']> & { readonly host: string },
  listener: Listener,
  record: (exchange: Exchange) => void,
) {
  const common = { ca: tls.ca, requestCert: true, rejectUnauthorized: false }
  const limits = { requestTimeout: REQUEST_MS }
  const own = { cert: tls.certificate, key: tls.key }
  const server = createTlsServer({ ...own, ...limits, ...common }, listener)
  recordUnread(server, record)
  const seen = { clear: 0, connections: 0 }
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => {
    if (code === IN_THE_CLEAR) seen.clear += 1
  })
  let meeting: Meeting | undefined
  const front = await listen(
    createFront((socket) => {
      seen.connections += 1
      if (meeting === undefined) server.emit('connection', socket)
      else meeting(socket)
    }),
    host,
  )
  return {
    ...front,
    seen,
    show({ certificate, key }: Shown) {
      server.setSecureContext({ cert: certificate, key, ca: tls.ca })
      front.cut()
    },
    meet(next: Meeting | undefined) {
      meeting = next
      front.cut()
    },
  }
}

/** Starts a service on free ports, with and without TLS. */
export async function startService({
  answer,
  tls,
  onExchange,
  host = '127.0.0.1',
}: ServiceOptions): Promise<Service> {
  const exchanges: Exchange[] = []
  let left = MOST_KEPT_BYTES
  const record = (exchange: Exchange) => {
    exchanges.push(exchange)
    onExchange?.(exchange)
  }
  const recordWithin = (exchange: Exchange) => {
    left -= SHOWN_BYTES
    if (left >= 0) record(exchange)
  }
  // A request that cannot be answered was made all the same.
  const answerTo = async (request: ReceivedRequest): Promise<Answer> => {
    try {
      return await answer(request)
    } catch {
      return 'reset'
    }
  }
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (left < 0) throw new BodyTooLong('a service keeps no more requests')
    const request = await readRequest(
      incoming,
      performance.now(),
      Math.min(left, MOST_REQUEST_BYTES),
    )
    left -= request.body.length + request.url.length + JSON.stringify(request.headers).length
    const exchange = { request, answer: await answerTo(request) }
    record(exchange)
    await send(response, exchange.answer)
  }
  const listener: Listener = (request, response) =>
    void serve(request, response).catch(() => response.socket?.destroy())
  const clear = createServer({ requestTimeout: REQUEST_MS }, listener)
  recordUnread(clear, recordWithin)
  const plain = await listen(clear, host)
  const secure = tls && (await listenSecurely({ ...tls, host }, listener, recordWithin))
  return {
    port: plain.port,
    tlsPort: secure?.port ?? 0,
    exchanges,
    get clearAttempts() {
      return secure?.seen.clear ?? 0
    },
    get connections() {
      return secure?.seen.connections ?? 0
    },
    show: (shown) => secure?.show(shown),
    meet: (meeting) => secure?.meet(meeting),
    close: async () => void (await Promise.all([plain.close(), secure?.close()])),
  }
}
