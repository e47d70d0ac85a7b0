import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createFront, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'

/** One request as it was heard. */
export interface Heard {
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown
  /** Of a request over TLS. */
  readonly tls?: { readonly protocol: string; readonly client?: ClientCertificate }
  /** Milliseconds on the clock of `performance.now()`, at its arrival. */
  readonly at: number
}

/** A client's certificate, whoever issued it. */
export interface ClientCertificate {
  readonly subject: string
  /** Whether the authority of the service issued it, and it is in date. */
  readonly trusted: boolean
}

/** A status with a body that is sent as JSON, or text as it is. */
export interface Said {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds that go by before the first byte. */
  readonly delayMs?: number
  /** Part of the body after which the connection is cut, from 0 to 1. */
  readonly cutAt?: number
}

/** What is answered, or that the connection is cut. */
export type Answer = Said | 'reset'

export interface Exchange {
  readonly heard: Heard
  readonly answer: Answer
}

export interface ServiceOptions {
  readonly answer: (heard: Heard) => Answer | Promise<Answer>
  /** PEM; clients are asked for a certificate of `ca`, and served without one too. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly ca: string }
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

/** PEM of a certificate and its key. */
export interface Shown {
  readonly certificate: string
  readonly key: string
}

/** What takes a connection before TLS begins. */
export type Meeting = (socket: Socket) => void

/** A server on loopback that records what it hears. */
export interface Service {
  /** Without TLS. */
  readonly port: number
  /** With TLS; 0 when there is no certificate. */
  readonly tlsPort: number
  /** In the order of the answers. */
  readonly exchanges: readonly Exchange[]
  /** How many clients began with HTTP in the clear where TLS is spoken. */
  readonly clearAttempts: number
  /** How many connections there were where TLS is spoken. */
  readonly connections: number
  /** Shows this certificate from now on, and cuts the connections that saw another. */
  show(shown: Shown): void
  /** Lets `meeting` take every connection from now on, and cuts those that are open; undefined for TLS. */
  meet(meeting: Meeting | undefined): void
  close(): Promise<void>
}

const LONGEST_BODY = 16 * 1024 * 1024

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > LONGEST_BODY) throw new Error('the body is too long')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function tlsOf({ socket }: IncomingMessage): Pick<Heard, 'tls'> {
  if (!(socket instanceof TLSSocket)) return {}
  const shown = socket.getPeerX509Certificate()
  const client = shown && {
    subject: shown.subject.replaceAll('\n', ', '),
    trusted: socket.authorized,
  }
  return { tls: { protocol: socket.getProtocol() ?? 'unknown', ...(client && { client }) } }
}

async function hear(request: IncomingMessage, at: number): Promise<Heard> {
  const tls = tlsOf(request)
  const body = await readBody(request)
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
  /** Cuts every connection that is open. */
  cut(): void
  close(): Promise<void>
}

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    })
  server.listen(0, '127.0.0.1')
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

/** What OpenSSL says of a ClientHello that is a request in the clear. */
const IN_THE_CLEAR = 'ERR_SSL_HTTP_REQUEST'

/** A port behind which a connection can be spoiled before TLS begins. */
async function listenSecurely(tls: NonNullable<ServiceOptions['tls']>, listener: Listener) {
  const common = { ca: tls.ca, requestCert: true, rejectUnauthorized: false }
  const server = createTlsServer({ cert: tls.certificate, key: tls.key, ...common }, listener)
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

/** Starts a service at free ports of 127.0.0.1, with TLS and without. */
export async function startService({ answer, tls, onExchange }: ServiceOptions): Promise<Service> {
  const exchanges: Exchange[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const heard = await hear(request, performance.now())
    const exchange = { heard, answer: await answer(heard) }
    exchanges.push(exchange)
    onExchange?.(exchange)
    await send(response, exchange.answer)
  }
  const listener: Listener = (request, response) =>
    void serve(request, response).catch(() => response.socket?.destroy())
  const plain = await listen(createServer(listener))
  const secure = tls && (await listenSecurely(tls, listener))
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
