import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { readJson } from '../../simulator/agents/http/parse-json.ts'
import { BodyTooLong, readBody } from '../../simulator/agents/http/read-body.ts'
import { deferred } from '../attempt/deferred.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { MOST_ANSWER_BYTES, TOO_LONG, tooSlow } from '../attempt/limits-of-answers.ts'
import type { Reply } from '../attempt/reply.ts'
import type { TlsFacts } from '../report/transcripts/transcript-entry.ts'
import type { ConnectionOptions } from './connection-options.ts'
import type { Credentials } from './identity.ts'
import { type RawAnswer, type RawExchange, sendRaw } from './raw-client.ts'
import type { SecureContexts, TlsProtocol } from './tls/secure-contexts.ts'
import { watchTls } from './tls/watch-tls.ts'
import { recordable } from './transcript.ts'

export interface Exchange {
  readonly method: string
  readonly url: string
  readonly credentials: Credentials
  /** A string is sent as is, any other value as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Uses this connection instead of a pooled one. */
  readonly socket?: TLSSocket
  /** Uses a new connection with this TLS version, or resumed from this session. */
  readonly tls?: TlsChoice
  /** The operation of the interface that is asked for: `GET /agents/{agent_id} of the verifier`. */
  readonly operation?: string
}

export interface TlsChoice {
  /** Default: any. */
  readonly protocol?: TlsProtocol
  readonly session?: Buffer
}

/** The result of repeated exchanges: how many were sent, and the count of each status (0: no response). */
export interface Repeated {
  readonly sent: number
  readonly statuses: ReadonlyMap<number, number>
}

/** Number of parallel requests when one is repeated, and of connections that are made with credentials of a scenario. */
const AT_ONCE = 8

/** An HTTP(S) client that records every exchange. Different credentials never share a connection. */
export class HttpsClient {
  readonly #options: ConnectionOptions
  readonly #agents = new Map<string, Agent>()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get contexts(): SecureContexts {
    return this.#options.contexts
  }

  /** Throws {@link PrerequisiteFailed} for an answer that exceeds the limits of bytes or time. */
  async exchange(exchange: Exchange): Promise<Reply> {
    const { transcript, pace } = this.#options
    await pace()
    const at = transcript.elapsed()
    const payload = serialize(exchange)
    const outcome = await this.#sendOrRepeat(exchange, payload)
    const index = transcript.add({
      lane: 'wire',
      at_ms: at,
      ms: Math.round((transcript.elapsed() - at) * 10) / 10,
      speaker: exchange.credentials.name,
      request: {
        method: exchange.method,
        url: exchange.url,
        headers: recordableHeaders(headersOf(exchange, payload)),
        ...(payload === undefined ? {} : { body: recordable(payload) }),
      },
      ...(exchange.operation === undefined ? {} : { operation: exchange.operation }),
      ...(outcome.tls === undefined ? {} : { tls: outcome.tls }),
      ...(outcome.status === undefined
        ? { failure: outcome.failure ?? 'the connection ended' }
        : { response: responseOf(outcome, outcome.status) }),
    })
    const { excess: cut, closedUnused: _, ...reply } = outcome
    const { value, excess = cut } = readJson(outcome.text)
    refuseExcess(exchange, excess)
    return {
      ...reply,
      body: value,
      exchange: index,
      resumed: outcome.tls?.resumed ?? false,
    }
  }

  /**
   * Repeats one exchange on several connections until `until` returns true. The transcript records the first
   * exchange and the counts.
   */
  async repeat(exchange: Exchange, until: (sent: number) => boolean): Promise<Repeated> {
    const { transcript, pace } = this.#options
    await this.exchange(exchange)
    const payload = serialize(exchange)
    const statuses = new Map<number, number>()
    let sent = 1
    const keepOn = async (): Promise<void> => {
      while (!until(sent)) {
        sent += 1
        await pace()
        const outcome = await this.#send(exchange, payload)
        refuseExcess(exchange, outcome.excess)
        const { status = 0 } = outcome
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, keepOn))
    const counts = [...statuses].map(([status, count]) => `${status} ${count} times`)
    transcript.note(`the same request ${sent - 1} more times, answered with ${counts.join(', ')}`)
    return { sent, statuses }
  }

  /** Writes raw bytes to a new connection, and reads until it ends or no more data arrives. */
  raw(exchange: RawExchange): Promise<RawAnswer> {
    return sendRaw(this.#options, exchange)
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  /**
   * A server may close an unused connection while a request is on its way over it. A client repeats a safe request then
   * (RFC 9112, 9.3.1), on a new connection; without an answer there either, the first failure counts.
   */
  async #sendOrRepeat(exchange: Exchange, payload: string | undefined): Promise<Outcome> {
    const outcome = await this.#send(exchange, payload)
    if (!outcome.closedUnused || !SAFE.has(exchange.method)) return outcome
    const { pace, transcript } = this.#options
    transcript.note(
      `the server closed a connection before ${exchange.method} was answered: repeated`,
    )
    await pace()
    const repeated = await this.#send({ ...exchange, tls: {} }, payload)
    return repeated.status === undefined ? outcome : repeated
  }

  #send(exchange: Exchange, payload: string | undefined): Promise<Outcome> {
    const { promise, resolve } = deferred<Outcome>()
    const ask = isPlain(exchange) ? httpRequest : httpsRequest
    const overdue = new AbortController()
    const late = () => overdue.abort(new DOMException('no answer in time', 'TimeoutError'))
    const timer = setTimeout(late, this.#options.requestMs)
    const request = ask(exchange.url, this.#requestOptions(exchange, payload, overdue.signal))
    const facts = watchTls(request, exchange)
    let begun = false
    const fail = (error: Error): void => {
      const excess = begun ? excessOf(error, overdue.signal, this.#options.requestMs) : undefined
      const why = excess === undefined ? {} : { excess, failure: `the answer ${excess}` }
      const how = { ...silence(error), ...why, ...(begun && { endedInTls: false }) }
      const closedUnused = !begun && request.reusedSocket && how.endedInTls
      resolve({ ...how, closedUnused, tls: facts.now() })
    }
    request.once('response', (response) => {
      begun = true
      const read = (body: Buffer) =>
        resolve({ ...answerOf(response, body.toString('utf8')), tls: facts.now() })
      readBody(response, MOST_ANSWER_BYTES).then(read, fail)
    })
    request.once('error', fail)
    request.end(payload)
    return promise.finally(() => clearTimeout(timer))
  }

  /** `overdue` has a timer of its own: the signal of `AbortSignal.timeout` may be collected within `any`, and then never aborts. */
  #requestOptions(
    exchange: Exchange,
    payload: string | undefined,
    overdue: AbortSignal,
  ): RequestOptions {
    return {
      method: exchange.method,
      headers: headersOf(exchange, payload),
      signal: AbortSignal.any([this.#options.signal(), overdue]),
      ...this.#connectionOf(exchange),
    }
  }

  #connectionOf(exchange: Exchange): RequestOptions {
    const { credentials, socket, tls } = exchange
    if (socket !== undefined) return { createConnection: () => socket }
    if (tls === undefined && isPlain(exchange)) return { agent: false }
    if (tls === undefined)
      return { agent: this.#options.kept?.of(credentials) ?? this.#agentOf(credentials) }
    const { protocol, session } = tls
    const secureContext = this.contexts.of(credentials, protocol)
    return { agent: this.#makeAgent({ secureContext, ...(session && { session }) }) }
  }

  #agentOf(credentials: Credentials): Agent {
    const { certificate, connection } = credentials
    const key = `${connection} ${certificate?.cert}`
    const pool = { keepAlive: true, maxSockets: connection === 'own' ? 1 : AT_ONCE }
    const secureContext = this.contexts.of(credentials)
    const agent = this.#agents.get(key) ?? this.#makeAgent({ ...pool, secureContext })
    this.#agents.set(key, agent)
    return agent
  }

  /** Only exchanges that name a session resume it: some subjects refuse that, and a pool would resume by chance. */
  #makeAgent(options: AgentOptions): Agent {
    const naming = this.#options.anyName ? { checkServerIdentity: () => undefined } : {}
    return new Agent({ ...options, ...naming, maxCachedSessions: 0 })
  }
}

/** Whether the exchange uses plain HTTP, which has no client certificates and so needs no pool per credentials. */
function isPlain({ url }: Exchange): boolean {
  return url.startsWith('http:')
}

function responseOf({ headers, text }: Outcome, status: number) {
  return { status, headers, body: recordable(text) }
}

type Outcome = Omit<Reply, 'exchange' | 'body' | 'resumed'> & {
  readonly tls: TlsFacts | undefined
  /** Which limit the answer exceeded. */
  readonly excess?: string
  /** Whether a connection that had answered before ended in place of an answer. */
  readonly closedUnused?: boolean
}

/** Methods of requests that change nothing. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Which limit an answer exceeded whose body could not be read; undefined if the connection failed. */
function excessOf(error: Error, overdue: AbortSignal, withinMs: number): string | undefined {
  if (error instanceof BodyTooLong) return TOO_LONG
  return overdue.aborted ? tooSlow(withinMs) : undefined
}

function refuseExcess({ method, url }: Exchange, excess: string | undefined): void {
  if (excess !== undefined) throw new PrerequisiteFailed(`the answer to ${method} ${url} ${excess}`)
}

function serialize({ body }: Exchange): string | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? body : JSON.stringify(body)
}

type Headers = Record<string, string | string[]>

/** Headers with repeated fields joined into one string. */
function recordableHeaders(headers: Headers): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return Object.fromEntries(lines)
}

function linesOf(value: string | readonly string[]): string | string[] {
  return typeof value === 'string' ? value : [...value]
}

function headersOf(exchange: Exchange, payload: string | undefined): Headers {
  const { authorization } = exchange.credentials
  return {
    accept: 'application/json, application/vnd.api+json',
    ...(payload === undefined
      ? {}
      : {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(payload)),
        }),
    ...(authorization === undefined ? {} : { authorization: linesOf(authorization) }),
    ...exchange.headers,
  }
}

function answerOf(response: IncomingMessage, text: string): Omit<Outcome, 'tls'> {
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return {
    status: response.statusCode,
    headers: Object.fromEntries(headers),
    text,
    failure: undefined,
    endedInTls: false,
  }
}

const CLOSED_WITHOUT_ANSWER = new Set(['ECONNRESET', 'EPIPE', 'EPROTO'])

function silence(error: Error): Omit<Outcome, 'tls'> {
  const late = error.cause instanceof Error && error.cause.name === 'TimeoutError'
  const code = late ? 'no answer in time' : ((error as NodeJS.ErrnoException).code ?? error.message)
  return {
    status: undefined,
    headers: {},
    text: '',
    failure: code,
    endedInTls: CLOSED_WITHOUT_ANSWER.has(code) || code.startsWith('ERR_SSL_'),
  }
}
