import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { parseJson, readJson } from '../../simulator/agents/http/parse-json.ts'
import { deferred } from '../attempt/deferred.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { MOST_ANSWER_BYTES, TOO_LONG, tooSlow } from '../attempt/limits-of-answers.ts'
import type { Reply } from '../attempt/reply.ts'
import type { ConnectionOptions } from './connection-options.ts'
import type { Credentials } from './identity.ts'
import { readReplies, type WireReply } from './read-replies.ts'
import { recordable } from './transcript.ts'

/** Raw bytes for one connection. */
export interface RawExchange {
  /** Scheme, host and port of the component. */
  readonly url: string
  readonly credentials: Credentials
  /** Parts, written in order, each as soon as the connection accepts it. */
  readonly bytes: readonly (string | Uint8Array)[]
  /** Final responses to wait for: silence ends the exchange only after these. 1 by default. */
  readonly awaits?: number
  /** Connects without TLS. */
  readonly plain?: boolean
}

/** The responses of a component until it ended the connection or sent no more. */
export interface RawAnswer {
  /** Final responses, in order. */
  readonly replies: readonly Reply[]
  /** The first final response, or a reply without status if there is none. */
  readonly first: Reply
  /** Statuses of interim responses. */
  readonly interim: readonly number[]
  /** Whether the component ended the connection. */
  readonly ended: boolean
}

/** Silence after the awaited responses that ends the exchange, in milliseconds. */
export const SILENCE_MS = 250

/**
 * Writes raw bytes to a new connection, and records them and the responses as an exchange. Throws
 * {@link PrerequisiteFailed} for an answer that exceeds the limits of bytes or time.
 */
export async function sendRaw(
  options: ConnectionOptions,
  exchange: RawExchange,
): Promise<RawAnswer> {
  const { transcript, pace } = options
  await pace()
  const at = transcript.elapsed()
  const { received, end, excess: cut } = await converse(options, exchange)
  const { replies, interim } =
    cut === undefined ? readReplies(received, isHead(exchange)) : NO_REPLIES
  const [first] = replies
  const excess = cut ?? readJson(first?.text ?? '').excess
  const index = transcript.add({
    lane: 'wire',
    at_ms: at,
    ms: Math.round((transcript.elapsed() - at) * 10) / 10,
    speaker: exchange.credentials.name,
    request: describe(exchange),
    ...(first === undefined
      ? { failure: excess ?? end ?? 'no complete response in time' }
      : {
          response: {
            status: first.status,
            headers: first.headers,
            body: recordable(first.text),
          },
        }),
  })
  if (excess !== undefined)
    throw new PrerequisiteFailed(`the answer to raw bytes at ${exchange.url} ${excess}`)
  const present = (reply: WireReply) => presentReply(reply, index)
  return {
    replies: replies.map(present),
    first: first === undefined ? silence(end, index) : present(first),
    interim,
    ended: end !== undefined,
  }
}

const NO_REPLIES = { replies: [], interim: [] }

interface Received {
  readonly received: Buffer
  /** How the component ended the connection; undefined if it is still open. */
  readonly end?: string
  /** Which limit the answer exceeded. */
  readonly excess?: string
}

/** Reads until the connection ends, or the awaited responses are followed by silence, or the time is over. */
function converse(options: ConnectionOptions, exchange: RawExchange): Promise<Received> {
  const { promise, resolve } = deferred<Received>()
  const socket = open(options, exchange)
  const chunks: Buffer[] = []
  let size = 0
  let failure: string | undefined
  const finish = (how: Omit<Received, 'received'> = {}): void => {
    clearTimeout(silent)
    clearTimeout(deadline)
    signal.removeEventListener('abort', onAbort)
    socket.destroy()
    resolve({ received: Buffer.concat(chunks), ...how })
  }
  const onAbort = () => finish()
  const signal = options.signal()
  const onDeadline = () =>
    finish(isCutOff(Buffer.concat(chunks), exchange) ? { excess: tooSlow(options.requestMs) } : {})
  const deadline = setTimeout(onDeadline, options.requestMs)
  let silent: NodeJS.Timeout | undefined
  const onSilence = () => {
    const { replies, whole } = readReplies(Buffer.concat(chunks), isHead(exchange))
    if (whole && replies.length >= (exchange.awaits ?? 1)) finish()
  }
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    clearTimeout(silent)
    if (size > MOST_ANSWER_BYTES) finish({ excess: TOO_LONG })
    else silent = setTimeout(onSilence, SILENCE_MS)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message
  })
  socket.once('end', () => finish({ end: 'the connection ended' }))
  socket.once('close', () => finish({ end: failure ?? 'the connection ended' }))
  signal.addEventListener('abort', onAbort)
  for (const part of exchange.bytes) socket.write(part)
  return promise
}

/** Whether the bytes begin an HTTP response and end within one. */
function isCutOff(received: Buffer, exchange: RawExchange): boolean {
  const isHttp = received.toString('latin1', 0, HTTP.length) === HTTP
  return isHttp && !readReplies(received, isHead(exchange)).whole
}

const HTTP = 'HTTP/'

function isHead({ bytes: [first = ''] }: RawExchange): boolean {
  return Buffer.from(first).toString('latin1', 0, 5) === 'HEAD '
}

function open({ contexts }: ConnectionOptions, { url, credentials, plain }: RawExchange): Socket {
  const { hostname: host, port } = new URL(url)
  const place = { host, port: Number(port || 443) }
  if (plain === true) return connectTcp(place)
  return connectTls({ ...place, secureContext: contexts.of(credentials) })
}

function presentReply({ status, headers, text }: WireReply, exchange: number): Reply {
  const reply = { exchange, status, headers, text, body: parseJson(text) }
  return { ...reply, failure: undefined, endedInTls: false, resumed: false }
}

function silence(end: string | undefined, exchange: number): Reply {
  return {
    exchange,
    status: undefined,
    headers: {},
    text: '',
    body: undefined,
    failure: end ?? 'no answer in time',
    endedInTls: end !== undefined,
    resumed: false,
  }
}

/** The bytes, parsed as a request and shortened for reports. The values of repeated headers are joined. */
function describe({ url, bytes }: RawExchange) {
  const [head = '', ...rest] = beginningOf(bytes).split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method = '', target = ''] = line.split(' ')
  const headers: Record<string, string> = {}
  for (const field of fields.slice(0, SHOWN_FIELDS)) {
    const [name = '', ...value] = field.split(':')
    headers[name] = [headers[name], value.join(':').trim()].filter(Boolean).join(' | ')
  }
  const body = rest.join('\r\n\r\n')
  return {
    method,
    url: `${url}${target.startsWith('/') ? '' : ' '}${target}`,
    headers,
    ...(body === '' ? {} : { body }),
  }
}

/** Headers shown in reports. */
const SHOWN_FIELDS = 40

/** Bytes shown in reports. */
const SHOWN_BYTES = 64 * 1024

function beginningOf(bytes: RawExchange['bytes']): string {
  const size = bytes.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const shown = bytes
    .slice(0, SHOWN_PARTS)
    .map((part) => Buffer.from(part).subarray(0, SHOWN_BYTES))
  const text = Buffer.concat(shown).toString('latin1', 0, SHOWN_BYTES)
  return size > SHOWN_BYTES ? `${text.slice(0, BEGINNING)}… (${size} bytes)` : text
}

/** Parts shown in reports: head and body. */
const SHOWN_PARTS = 2
const BEGINNING = 1024
