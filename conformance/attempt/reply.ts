import { parseJson } from '../../simulator/agents/http/parse-json.ts'

/** The result of one HTTP exchange. */
export interface Reply {
  /** Index of the exchange in the transcript. */
  readonly exchange: number
  /** HTTP status; undefined without an HTTP response. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed JSON body; undefined if the body is not JSON. */
  readonly body: unknown
  /** Why there was no HTTP response, e.g. `ECONNRESET`. */
  readonly failure: string | undefined
  /** Whether the connection ended during TLS: an alert, or a close without an HTTP response. */
  readonly endedInTls: boolean
  /** Whether the TLS session was resumed. */
  readonly resumed: boolean
}

export function isSuccess(reply: Reply): boolean {
  return reply.status !== undefined && reply.status >= 200 && reply.status < 300
}

export function isRefusal(reply: Reply): boolean {
  if (reply.status === undefined) return reply.endedInTls
  return reply.status >= 400 && reply.status < 500
}

/** One line: the status, or the reason why there is none. */
export function presentReply(reply: Pick<Reply, 'status' | 'failure'>): string {
  if (reply.status !== undefined) return `HTTP ${reply.status}`
  return `no HTTP answer (${reply.failure ?? 'connection ended'})`
}

/** Why nothing can be read from an answer: its status, or a body that is not a JSON object; undefined if something can. */
export function unreadable(reply: Pick<Reply, 'status' | 'failure' | 'text'>): string | undefined {
  const { status = 0, text } = reply
  const answer = presentReply(reply)
  if (status < 200 || status > 299) return answer
  if (text.trim() === '') return `${answer} without a body`
  return isObject(parseJson(text)) ? undefined : `${answer} with a body that is no JSON object`
}

/** The value at a path in JSON; undefined if the path does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.hasOwn(inner, key) ? (inner as Record<string | number, unknown>)[key] : undefined
  }, value)
}

/** `results` of an envelope. */
export function results(reply: Reply, ...path: readonly (string | number)[]): unknown {
  return at(reply.body, 'results', ...path)
}

/** `data.attributes` of a push document. */
export function attributes(reply: Reply, ...path: readonly (string | number)[]): unknown {
  return at(reply.body, 'data', 'attributes', ...path)
}

/** Whether the value is a JSON object, and not a list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an array; undefined if it is not one. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** Parses a JSON string; undefined if the value is not a string or not JSON. */
export function jsonIn(text: unknown): unknown {
  return typeof text === 'string' ? parseJson(text) : undefined
}
