import type { IncomingMessage } from 'node:http'
import { Agent, request as open } from 'node:https'
import type { Credential } from '../pki/authority.ts'

export interface JsonClientOptions {
  readonly host: string
  readonly port: number
  /** PEM of the authorities that the server may be of. */
  readonly ca: string
  /** Whom the server sees; nobody without it. */
  readonly identity?: Credential
  /** Milliseconds from the request to the last byte of its answer. */
  readonly timeoutMs: number
  readonly maxBytes: number
}

export interface JsonReply {
  readonly status: number
  /** Undefined when the answer is no JSON. */
  readonly body: unknown
}

/** There is no answer, or none that is taken; the message says why, and names no path of this machine. */
export class NoAnswer extends Error {}

/** Asks one server over TLS under one identity; its answers are read once, bounded, and never followed elsewhere. */
export interface JsonClient {
  /** @throws {NoAnswer} */
  get(path: string): Promise<JsonReply>
  /** Ends what is under way and closes every connection. */
  close(): void
}

const CONNECTIONS = 8

export function jsonClient(options: JsonClientOptions): JsonClient {
  const { host, port, ca, identity } = options
  // One agent for one identity: connections and TLS sessions are shared by nobody else.
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    ca,
    minVersion: 'TLSv1.2',
    ...(identity && { cert: identity.certificate, key: identity.key }),
  })
  const closing = new AbortController()
  return {
    async get(path) {
      const late = AbortSignal.timeout(options.timeoutMs)
      const signal = AbortSignal.any([late, closing.signal])
      try {
        const response = await answerTo({ host, port, path, agent, signal })
        return { status: response.statusCode ?? 0, body: await readJson(response, options) }
      } catch (cause) {
        if (cause instanceof NoAnswer) throw cause
        throw new NoAnswer(late.aborted ? lateness(options) : problemOf(cause), { cause })
      }
    },
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

function lateness({ timeoutMs }: JsonClientOptions): string {
  return `no answer within ${timeoutMs} ms`
}

interface Question {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly agent: Agent
  readonly signal: AbortSignal
}

function answerTo(question: Question): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json' }
    open({ ...question, headers }, resolve)
      .once('error', reject)
      .end()
  })
}

async function readJson(
  response: IncomingMessage,
  { maxBytes }: JsonClientOptions,
): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw new NoAnswer(`an answer of more than ${maxBytes} bytes`)
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

/** What went wrong in a word, e.g. `ECONNREFUSED`: messages may quote addresses and certificates. */
function problemOf(cause: unknown): string {
  const { code } = cause as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'the connection failed'
}
