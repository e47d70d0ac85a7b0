import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { mountRoutes } from '../../api/mounts.ts'
import { ApiError } from '../../errors.ts'
import { type HttpRules, httpRules } from '../../http-server/http-rules.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

function withRules(change: Partial<HttpRules>): Mutant['parts'] {
  return { httpRules: { ...httpRules, ...change } }
}

const without = (id: string) => httpRules.checks.filter((check) => check.id !== id)

const GZIP = 0x8b1f

function inflate(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body)
  return bytes.length > 2 && bytes.readUInt16LE() === GZIP ? gunzipSync(bytes) : bytes
}

/** The method that a header of the request asks for is the one that it is routed by. */
function targetOfOverridden(request: IncomingMessage): string {
  const { 'x-http-method-override': method } = request.headers
  if (typeof method === 'string') request.method = method
  return httpRules.targetOf(request)
}

/** Servers with HTTP defects. */
export const HTTP_MUTANTS: readonly Mutant[] = [
  {
    id: 'double-slash-unguarded',
    defect: 'with one more slash at the front a path is found, and no certificate is required',
    parts: {
      mountRoutes: (routes, versions) => {
        const mounted = mountRoutes(routes, versions)
        const doubled = mounted.filter(({ prefix }) => prefix !== '')
        return [
          ...mounted,
          ...doubled.map((row) => ({
            ...row,
            prefix: `/${row.prefix}`,
            action: 'read_version' as const,
          })),
        ]
      },
    },
  },
  {
    id: 'method-override-honoured',
    defect: 'a header makes another method of a request',
    parts: withRules({ targetOf: targetOfOverridden }),
  },
  {
    id: 'trace-answered',
    defect: 'TRACE gives the headers of the request back',
    parts: withRules({
      replyToUnknownPath: (routes) => {
        const replyTo = httpRules.replyToUnknownPath(routes)
        return (request, reply) =>
          request.method === 'TRACE'
            ? reply.send(request.raw.rawHeaders.join('\n'))
            : replyTo(request, reply)
      },
    }),
  },
  {
    id: 'unknown-path-answered',
    defect: 'a path that does not exist is answered with an empty success',
    parts: withRules({
      replyToUnknownPath: () => (_request, reply) =>
        reply.send({ code: 200, status: 'Success', results: {} }),
    }),
  },
  {
    id: 'unknown-path-fails',
    defect: 'a path that does not exist is a fault',
    parts: withRules({
      replyToUnknownPath: () => () => {
        throw new TypeError('there is no handler')
      },
    }),
  },
  {
    id: 'lenient-parser',
    defect: 'of two lengths of one body the parser chooses one',
    parts: withRules({ isLenient: true }),
  },
  {
    id: 'thousand-headers-kept',
    defect: 'headers past the thousandth are left out without a word',
    parts: withRules({ headersKept: 1000, checks: without('request.header-count') }),
  },
  {
    id: 'forty-connections',
    defect: 'a client with forty open connections blocks all others',
    parts: withRules({
      keepConnections: () => ({
        watch(server) {
          Object.assign(server, { maxConnections: 40 })
        },
        inHand: () => [],
      }),
    }),
  },
  {
    id: 'body-unbounded',
    defect: 'a stranger may send as much as he likes',
    parts: withRules({ bodyLimitOf: () => Number.MAX_SAFE_INTEGER }),
  },
  {
    id: 'body-inflated',
    defect: 'a compressed body is inflated, however large it becomes',
    parts: withRules({
      checks: without('request.content-coding'),
      parseBody: (body) => JSON.parse(Buffer.from(inflate(body)).toString()),
    }),
  },
  {
    id: 'list-of-one-unwrapped',
    defect: 'a list with one object is treated as the object',
    parts: withRules({
      parseBody: (body) => {
        const value = httpRules.parseBody(body)
        return Array.isArray(value) && value.length === 1 ? value[0] : value
      },
    }),
  },
  {
    id: 'errors-with-stack',
    defect: 'an error reveals its place in the source',
    parts: withRules({
      refusalOf: (error) => {
        const { code, stack = '' } = httpRules.refusalOf(error)
        return new ApiError(code, stack)
      },
    }),
  },
  {
    id: 'errors-with-200',
    defect: 'an error goes out with the status of a success',
    parts: withRules({
      refusalOf: (error) => Object.assign(httpRules.refusalOf(error), { status: 200 }),
    }),
  },
]
