import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openPlain,
} from 'node:http'
import { Agent, request as openTls } from 'node:https'
import type { Credential } from '../pki/authority.ts'
import { type Trust, tlsTrust } from './trust.ts'

export interface JsonClientOptions {
  readonly host: string
  readonly port: number
  /** The certificate or authorities that the server must match; plain HTTP without it. */
  readonly trust?: Trust
  /** The client certificate; undefined to connect without one. */
  readonly identity?: Credential
  /** Milliseconds from the request to the last byte of its answer. */
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Connections that may be open at a time; default: 8. */
  readonly connections?: number
  /** Milliseconds after which an idle connection is closed; by default the server closes it. */
  readonly idleMs?: number
}

export interface JsonQuestion {
  /** Default: GET. */
  readonly method?: string
  readonly path: string
  /** Sent as JSON; no body without it. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface JsonReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Undefined when the answer is no JSON. */
  readonly body: unknown
}

/** Why there is no answer; `stale` is a kept connection that had ended, so that the question may never have been read. */
export type NoAnswerKind =
  | 'closed'
  | 'late'
  | 'too-large'
  | 'untrusted'
  | 'unreachable'
  | 'reset'
  | 'stale'

/** No answer, or an unusable one; the message gives the reason, and no path of this machine. */
export class NoAnswer extends Error {
  readonly kind: NoAnswerKind

  constructor(message: string, kind: NoAnswerKind = 'reset', options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Asks one server under one identity; its answers are read once, bounded, and never followed elsewhere. */
export interface JsonClient {
  /** @throws {NoAnswer} */
  ask(question: JsonQuestion): Promise<JsonReply>
  /** Asks with GET. @throws {NoAnswer} */
  get(path: string): Promise<JsonReply>
  /** Aborts pending requests and closes every connection. */
  close(): void
}

const CONNECTIONS = 8

/** @throws the error of node:tls for a PEM that cannot be read */
export function jsonClient(options: JsonClientOptions): JsonClient {
  const line = lineOf(options)
  const turns = turnsOf(options.timeoutMs)
  const ask = (question: JsonQuestion): Promise<JsonReply> =>
    turns.take(async (signal) => {
      const response = await openTwice(line, question, signal)
      const { statusCode: status = 0, headers } = response
      return { status, headers, body: await readJson(response, options) }
    })
  return {
    ask,
    get: (path) => ask({ path }),
    close() {
      turns.close()
      line.close()
    },
  }
}

interface Turns {
  /** @throws {NoAnswer} */
  take<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>
  close(): void
}

/**
 * Ends what takes too long, and all of it when it is closed. Each question has a signal of its own, which nothing holds
 * once it is answered: what `AbortSignal.any` and `.timeout` make outlives it, by thousands in a verifier that polls.
 */
function turnsOf(timeoutMs: number): Turns {
  const open = new Set<AbortController>()
  let isClosed = false
  return {
    async take(ask) {
      if (isClosed) throw new NoAnswer('the client is closed', 'closed')
      const stop = new AbortController()
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        stop.abort()
      }, timeoutMs)
      open.add(stop)
      try {
        return await ask(stop.signal)
      } catch (cause) {
        if (cause instanceof NoAnswer) throw cause
        if (isLate) throw new NoAnswer(`no answer within ${timeoutMs} ms`, 'late', { cause })
        const kind = isClosed ? 'closed' : kindOf(cause)
        throw new NoAnswer(problemOf(cause), kind, { cause })
      } finally {
        clearTimeout(timer)
        open.delete(stop)
      }
    },
    close() {
      isClosed = true
      for (const stop of open) stop.abort()
    },
  }
}

/** A kept connection broke before its answer began: most often the server had closed the idle connection. */
class Stale extends Error {
  constructor(cause: Error) {
    super('a kept connection broke', { cause })
  }
}

/** What changes nothing is asked once more over another connection. */
async function openTwice(
  line: Line,
  question: JsonQuestion,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    return await line.open(question, signal)
  } catch (cause) {
    if (!(cause instanceof Stale)) throw cause
    if ((question.method ?? 'GET') !== 'GET' || signal.aborted) throw cause.cause
    return await line.open(question, signal)
  }
}

interface Line {
  open(question: JsonQuestion, signal: AbortSignal): Promise<IncomingMessage>
  close(): void
}

/** One agent for one identity: connections and TLS sessions are not shared with others. */
function lineOf(options: JsonClientOptions): Line {
  const { host, port, trust, identity, connections: maxSockets = CONNECTIONS, idleMs } = options
  // On a connection in use a timeout only means that it was quiet.
  const kept = { keepAlive: true, maxSockets, ...(idleMs !== undefined && { timeout: idleMs }) }
  const agent =
    trust === undefined
      ? new HttpAgent(kept)
      : new Agent({
          ...kept,
          ...tlsTrust(trust),
          minVersion: 'TLSv1.2',
          ...(identity && { cert: identity.certificate, key: identity.key }),
        })
  const open = trust === undefined ? openPlain : openTls
  return {
    open: ({ method = 'GET', path, body, headers }, signal) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body)
        const options = { host, port, path, method, agent, signal }
        const request = open({ ...options, headers: { ...headersOf(text), ...headers } }, resolve)
        request.once('error', (cause) => reject(request.reusedSocket ? new Stale(cause) : cause))
        request.end(text)
      }),
    close: () => agent.destroy(),
  }
}

function headersOf(text: string | undefined): Record<string, string | number> {
  const accept = 'application/json'
  if (text === undefined) return { accept }
  return { accept, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
}

async function readJson(
  response: IncomingMessage,
  { maxBytes }: JsonClientOptions,
): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw new NoAnswer(`an answer of more than ${maxBytes} bytes`, 'too-large')
    chunks.push(chunk)
  }
  return parse(Buffer.concat(chunks))
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Codes of a connection that was not made; those of a name that is not found begin with another letter each. */
const UNREACHABLE =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL|ENOENT|ENOTFOUND|EAI_\w+)$/
/** Codes of a connection that was there and ended. */
const RESET = /^(ECONNRESET|EPIPE|ECONNABORTED|HPE_\w+|ABORT_ERR|ERR_STREAM_PREMATURE_CLOSE)$/

/** All other codes are those of OpenSSL and mean TLS. */
function kindOf(error: unknown): NoAnswerKind {
  if (error instanceof Stale) return 'stale'
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== 'string' || RESET.test(code)) return 'reset'
  return UNREACHABLE.test(code) ? 'unreachable' : 'untrusted'
}

/** What went wrong in a word, e.g. `ECONNREFUSED`: messages may quote addresses and certificates. */
function problemOf(error: unknown): string {
  const cause = error instanceof Stale ? error.cause : error
  const { code } = cause as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'the connection failed'
}
