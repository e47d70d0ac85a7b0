import type { Identity } from '../authorization/identity.ts'
import { ApiError } from '../errors.ts'
import type { ApiVersion } from './versions.ts'

/** A large body of any client: another thread reads it, as that would keep the requests of others waiting. */
export class UnreadBody {
  /** The whole of their buffer. */
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    const isWhole = bytes.byteLength === bytes.buffer.byteLength
    this.bytes = isWhole ? bytes : new Uint8Array(bytes)
  }
}

/** A request after authentication and authorization, as an operation gets it. */
export interface Call {
  /** Absent on unversioned routes. */
  readonly version: ApiVersion | undefined
  readonly params: Readonly<Record<string, string>>
  /** Percent-decoded; `+` is a blank there, and a list is a name that was given more than once. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The JSON value; where a route lets another thread read it, an `UnreadBody` if it is large. */
  readonly body: unknown
  readonly identity: Identity
}

/** The result of an operation: for `envelope` routes `body` is `results`, for `document` routes the whole document. */
export interface Answer {
  readonly status?: number
  readonly body?: unknown
  /** In place of `body`: the elements of `data` of a document, sent one after the other, as the client reads them. */
  readonly elements?: AsyncIterable<unknown>
  readonly headers?: Readonly<Record<string, string>>
  /** Work that begins once the answer is on its way, e.g. the evaluation of evidence. */
  readonly afterwards?: () => void
}

export type Handler = (call: Call) => Promise<Answer> | Answer

/** The path parameter of that name; a route without it is a defect of the route table. */
export function parameter(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`route table: this route carries no parameter ${name}`)
  return value
}

/** The version that was asked; a route without a prefix whose operation needs one is a defect of the route table. */
export function versionOf(call: Call): ApiVersion {
  if (call.version === undefined) throw new Error('route table: this route has no version')
  return call.version
}

/** A required query parameter, once and not empty. */
export function optionalQueryParameter(call: Call, name: string): string | undefined {
  return Object.hasOwn(call.query, name) ? queryParameter(call, name) : undefined
}

export function queryParameter(call: Call, name: string): string {
  const value = Object.hasOwn(call.query, name) ? call.query[name] : undefined
  if (typeof value === 'string' && value !== '') return value
  const problem = Array.isArray(value) ? 'given more than once' : 'missing'
  throw new ApiError('malformed_request', `query parameter ${name} is ${problem}`)
}
