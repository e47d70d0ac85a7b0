import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Call, Handler } from '../api/call.ts'
import { checkParameters } from '../api/check-parameters.ts'
import type { Mount } from '../api/mounts.ts'
import type { ReplyForm, Route } from '../api/routes/route.ts'
import type { Identity, Peer } from '../authorization/identity.ts'
import { type AuthorizationProvider, checkAuthorization } from '../authorization/provider.ts'
import type { Clock } from '../clock.ts'
import type { TlsFiles } from '../pki/tls-files.ts'
import { authorizationOf } from './authorization-of.ts'
import { bodyLimitOf } from './body-limit.ts'
import { asApiError } from './faults.ts'
import { parseJson } from './parse-json.ts'
import { peerOf } from './peer.ts'
import { sendAnswer, sendError } from './reply.ts'
import { replyToUnknownPath } from './unknown-path.ts'
import { whenSent } from './when-sent.ts'

export interface ServerParts<Operation extends string> {
  readonly tls: TlsFiles
  readonly routes: readonly (Route<Operation> & Mount)[]
  readonly operations: Readonly<Record<Operation, Handler>>
  readonly identify: (credentials: {
    readonly authorization: string | undefined
    readonly peer: Peer
  }) => Promise<Identity>
  readonly authorization: AuthorizationProvider
  readonly maxUploadSize: number
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export type Server = FastifyInstance<HttpsServer, IncomingMessage, ServerResponse>

/** Milliseconds; whoever is slower than this holds a connection and gives nothing for it (CVE-2023-38200). */
const HANDSHAKE_TIMEOUT = 10_000
const HEADERS_TIMEOUT = 20_000
const REQUEST_TIMEOUT = 120_000
const IDLE_TIMEOUT = 120_000

/** One HTTPS server over a route table: identity and permission come before the body is read. */
export function createServer<Operation extends string>(parts: ServerParts<Operation>): Server {
  const { ca, certificate, key } = parts.tls
  const server: Server = Fastify({
    https: {
      ca,
      cert: certificate,
      key,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      headersTimeout: HEADERS_TIMEOUT,
    },
    loggerInstance: parts.log,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => refuse(error, 'envelope', request, reply),
  })
  readJsonBodies(server)
  refuseUnknownPaths(server, parts.routes)
  for (const route of parts.routes) addRoute(server, parts, route)
  return server
}

/** Every body is read as JSON whatever its media type says; the document names none. */
function readJsonBodies(server: Server): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJson(body),
  )
}

/** In a hook, as a not-found handler would run only after the body was read. */
function refuseUnknownPaths(server: Server, routes: readonly (Route & Mount)[]): void {
  const replyTo = replyToUnknownPath(routes)
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return replyTo(request, reply)
    return undefined
  })
}

function addRoute<Operation extends string>(
  server: Server,
  parts: ServerParts<Operation>,
  route: Route<Operation> & Mount,
): void {
  const identities = new WeakMap<FastifyRequest, Identity>()
  server.route({
    method: route.method,
    url: `${route.prefix}${route.path}`,
    bodyLimit: bodyLimitOf(route, parts.maxUploadSize),
    onRequest: async (request) => {
      identities.set(request, await admit(parts, route, request))
    },
    handler: async (request, reply) => {
      const answer = await parts.operations[route.operation]({
        version: route.version,
        params: request.params as Readonly<Record<string, string>>,
        query: request.query as Call['query'],
        body: request.body,
        identity: identities.get(request) ?? { type: 'anonymous' },
      })
      if (answer.afterwards !== undefined) whenSent(reply.raw, answer.afterwards)
      return sendAnswer(reply, route.reply, answer)
    },
    errorHandler: (error, request, reply) => refuse(error, route.reply, request, reply),
  })
}

function refuse(
  error: unknown,
  form: ReplyForm,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asApiError(error)
  if (refusal.status >= 500) request.log.error(error)
  void sendError(reply, form, refusal)
}

async function admit<Operation extends string>(
  parts: ServerParts<Operation>,
  route: Route<Operation>,
  request: FastifyRequest,
): Promise<Identity> {
  const peer = peerOf(request.raw, parts.clock.now())
  const { refusedFor } = peer
  if (refusedFor !== undefined) request.log.info({ refusedFor }, 'client certificate not accepted')
  const identity = await parts.identify({ authorization: authorizationOf(request.raw), peer })
  const params = request.params as Readonly<Record<string, string>>
  const question = { identity, action: route.action, agentId: params['agent_id'] }
  await checkAuthorization(parts.authorization, question, request.log)
  checkParameters(params)
  return identity
}
