import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { at } from '../../conformance/attempt/reply.ts'
import { prefixesOf } from '../../conformance/catalogue/routes/operations.ts'
import type { OpenApiDocument } from './compose-openapi.ts'
import type { Schema } from './reply-schema.ts'

interface MockRules {
  readonly version: string
  /** Called with each request and the status of its answer. */
  readonly onRequest?: (line: string) => void
}

/**
 * A server that answers as a document says, for people who write clients: the example of the operation, or 400 with the
 * first place where the body of the request or its query does not fit. It keeps nothing.
 */
export function mockServer(
  document: OpenApiDocument,
  { version, onRequest }: MockRules,
): FastifyInstance {
  const server = fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false })
  const isJsonApi = prefixesOf('verifier', version).includes('/v3')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  server.addHook('onResponse', async ({ method, url }, { statusCode }) => {
    onRequest?.(`${statusCode} ${method} ${url}`)
  })
  const refuse = (reply: FastifyReply, status: number, problem: string) =>
    reply.code(status).send(errorBody(status, problem, isJsonApi))
  server.setNotFoundHandler(({ method, url }, reply) =>
    refuse(reply, 404, `no operation ${method} ${url}`),
  )
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    refuse(reply, error.statusCode ?? 500, error.message),
  )
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { status, example } = answerOf(operation)
      const problemOf = requestCheck(operation)
      server.route({
        method: method.toUpperCase(),
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler({ body, query }, reply) {
          const problem = problemOf(body, query)
          if (problem !== undefined) return refuse(reply, 400, problem)
          return example === undefined
            ? reply.code(status).send()
            : reply.code(status).send(example)
        },
      })
    }
  return server
}

function errorBody(status: number, problem: string, isJsonApi: boolean): unknown {
  if (isJsonApi) return { errors: [{ status: String(status), detail: problem }] }
  return { code: status, status: problem, results: {} }
}

/** The first answer of an operation; of a range of statuses, its first one. */
function answerOf(operation: Schema) {
  const [status = '200', response] = Object.entries(Object(operation['responses']))[0] ?? []
  const example: unknown = at(response, 'content', 'application/json', 'example')
  return { status: Number(status.replace('XX', '00')), example }
}

/** What does not fit in a request, with its place; undefined if it is as the document says. */
function requestCheck(operation: Schema) {
  const schema: unknown = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  const validate = schema === undefined ? undefined : compile(schema as Schema)
  const parameters = (operation['parameters'] ?? []) as readonly Schema[]
  const needed = parameters.filter((one) => one['in'] === 'query' && one['required'] === true)
  return (body: unknown, query: unknown): string | undefined => {
    const missing = needed.find(({ name }) => typeof at(query, String(name)) !== 'string')
    if (missing !== undefined) return `query parameter ${missing['name']} is missing`
    if (validate === undefined) return undefined
    const value = parsed(body)
    if (value === undefined) return 'the body is not JSON'
    if (validate(value)) return undefined
    const [first] = validate.errors ?? []
    return `body${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'}`
  }
}

function compile(schema: Schema): ValidateFunction {
  return new Ajv2020({ strict: false }).compile(schema)
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
