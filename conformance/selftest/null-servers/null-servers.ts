import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

/** A request as a null server sees it. */
export interface NullRequest {
  readonly role: 'registrar' | 'verifier'
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Whether it has an `Authorization` header, or its connection a client certificate that the CA of the target signed. */
  readonly identified: boolean
  readonly body: string
}

export interface NullReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A server without state, keys and memory: its reply follows from the request alone. */
export type NullServer = (request: NullRequest) => NullReply

interface CannedReply extends NullReply {
  readonly role: string
  readonly method: string
  /** `/v2/agents/{id}`: the major version stands for all of its minor versions. */
  readonly path: string
}

/** A success of each route, as a complete implementation answered once. */
const CANNED = JSON.parse(
  readFileSync(
    join(packageRoot(), 'conformance', 'selftest', 'null-servers', 'canned-replies.json'),
    'utf8',
  ),
) as readonly CannedReply[]

const ENVELOPE = { code: 200, status: 'Success', results: {} }
const NOT_FOUND = errorOf(404, 'Not Found')

function errorOf(code: number, status: string): NullReply {
  return { status: code, body: { code, status, results: {} } }
}

function always(reply: NullReply): NullServer {
  return () => reply
}

function partsOf(path: string): readonly string[] {
  return path
    .replace(/\/+$/, '')
    .split('/')
    .map((part) => part.replace(/^(v\d)\.\d$/, '$1'))
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  const same = (part: string, at: number) => part.startsWith('{') || part === given[at]
  return wanted.length === given.length && wanted.every(same)
}

function routesAt({ role, path }: NullRequest): readonly CannedReply[] {
  return CANNED.filter((one) => one.role === role && fits(one.path, path))
}

/** The success of the route, for the agent of the path. */
function canned(request: NullRequest): NullReply {
  const route = routesAt(request).find(({ method }) => method === request.method)
  if (route === undefined) return { status: 200, body: ENVELOPE }
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(request.path)?.[0] ?? '{id}'
  const { status, body } = route
  return { status, body: JSON.parse(JSON.stringify(body).replaceAll('{id}', id)) }
}

/** Like `canned`, with the refusals that a framework gives without looking at a record. */
function guarded(request: NullRequest): NullReply {
  if (/^\/(versions?)?$/.test(request.path)) return canned(request)
  const routes = routesAt(request)
  if (routes.length === 0) return NOT_FOUND
  if (!routes.some(({ method }) => method === request.method)) return errorOf(405, 'Not Allowed')
  const open = /\/sessions/.test(request.path) || request.role === 'registrar'
  if (!request.identified && !(open && request.method !== 'GET' && request.method !== 'DELETE'))
    return { ...errorOf(401, 'Unauthorized'), headers: { 'www-authenticate': 'Bearer' } }
  if (!isObject(request.body)) return errorOf(400, 'Bad Request')
  return canned(request)
}

function isObject(body: string): boolean {
  try {
    return body === '' || Object(JSON.parse(body)) !== Array
  } catch {
    return false
  }
}

/** Like `canned`; long texts, which are blobs, keys and tokens, have no meaning. */
function unreadable(request: NullRequest): NullReply {
  const { status, body } = canned(request)
  const spoil = (_key: string, value: unknown) =>
    typeof value === 'string' && value.length > 20
      ? value.replace(/^.{12}/, 'AAAA%%%%\u0000zzz')
      : value
  return { status, body: JSON.parse(JSON.stringify(body, spoil)) }
}

/** Like `canned`, with a list in the place of every text. */
function misshapen(request: NullRequest): NullReply {
  const { status, body } = canned(request)
  const spoil = (_key: string, value: unknown) => (typeof value === 'string' ? [value, 7] : value)
  return { status, body: JSON.parse(JSON.stringify(body), spoil) }
}

const STATUS_OF_METHOD: Readonly<Record<string, number>> = {
  GET: 404,
  POST: 201,
  PUT: 200,
  PATCH: 202,
  DELETE: 204,
}

function byMethod({ method }: NullRequest): NullReply {
  const status = STATUS_OF_METHOD[method] ?? 405
  return status === 204 ? { status } : { status, body: { ...ENVELOPE, code: status } }
}

function echo({ body }: NullRequest): NullReply {
  try {
    return { status: 200, body: { ...ENVELOPE, results: JSON.parse(body || '{}') } }
  } catch {
    return errorOf(400, 'Bad Request')
  }
}

function versionsOnly(request: NullRequest): NullReply {
  return /^\/versions?$/.test(request.path) ? canned(request) : NOT_FOUND
}

/** The error that the document names for such a request: every route is known, no record exists. */
function errors(request: NullRequest): NullReply {
  if (/^\/versions?$/.test(request.path)) return canned(request)
  if (/\/sessions|\/attestations/.test(request.path)) {
    const [status, title] = request.identified ? [404, 'Not Found'] : [401, 'Unauthorized']
    const body = { errors: [{ status: String(status), title, detail: title }] }
    return { status: Number(status), body, headers: { 'content-type': 'application/vnd.api+json' } }
  }
  if (routesAt(request).length === 0) return NOT_FOUND
  if (!request.identified) return errorOf(401, 'Unauthorized')
  return request.method === 'POST' || request.method === 'PUT'
    ? errorOf(400, 'Bad Request')
    : NOT_FOUND
}

/** Servers without any function. None may pass more than one in a hundred scenarios, requirements or cells. */
export const NULL_SERVERS: Readonly<Record<string, NullServer>> = {
  '200 {}': always({ status: 200, body: {} }),
  '200 with an empty envelope': always({ status: 200, body: ENVELOPE }),
  '400 to all': always(errorOf(400, 'Bad Request')),
  '401 to all': always({
    ...errorOf(401, 'Unauthorized'),
    headers: { 'www-authenticate': 'Bearer' },
  }),
  '403 to all': always({ status: 403 }),
  '404 to all': always(NOT_FOUND),
  '500 to all': always(errorOf(500, 'Internal Server Error')),
  'status by method': byMethod,
  echo,
  'versions only': versionsOnly,
  'correct errors': errors,
  canned,
  'canned, guarded': guarded,
  'canned, unreadable': unreadable,
  'canned, misshapen': misshapen,
}
