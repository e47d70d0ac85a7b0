import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { type Call, type Handler, UnreadBody } from '../api/call.ts'
import { checkParameters } from '../api/check-parameters.ts'
import type { Mount } from '../api/mounts.ts'
import type { ReplyForm, Route } from '../api/routes/route.ts'
import { ACTIONS } from '../authorization/actions.ts'
import type { Identity, Peer } from '../authorization/identity.ts'
import { type AuthorizationProvider, checkAuthorization } from '../authorization/provider.ts'
import { ApiError } from '../errors.ts'
import type { TlsFiles } from '../pki/tls-files.ts'
import type { Clock } from '../platform/clock.ts'
import { authorizationOf } from './authorization-of.ts'
import type { HttpRules } from './http-rules.ts'
import type { Connections } from './limits/connections.ts'
import { affordableLimits, type HttpLimits } from './limits/http-limits.ts'
import { openFileLimit } from './limits/open-files.ts'
import { type PublicBodies, publicBodies } from './limits/public-bodies.ts'
import { refuseMalformed, refuseTunnel } from './malformed.ts'
import { peerOf } from './peer.ts'
import { readBody } from './read-body.ts'
import { sendAnswer, sendError } from './reply.ts'
import { whenSent } from './when-sent.ts'

export interface ServerParts<Operation extends string> {
  /** Undefined for a server without TLS, on which every client is anonymous. */
  readonly tls: TlsFiles | undefined
  /** Whether a handshake without a certificate of these authorities fails; otherwise clients without one are anonymous. */
  readonly refusesStrangers?: boolean
  readonly routes: readonly (Route<Operation> & Mount)[]
  readonly operations: Readonly<Record<Operation, Handler>>
  readonly identify: (credentials: {
    readonly authorization: string | undefined
    readonly peer: Peer
  }) => Promise<Identity>
  readonly authorization: AuthorizationProvider
  readonly clock: Clock
  readonly limits: HttpLimits
  readonly rules: HttpRules
  readonly log: FastifyBaseLogger
}

export type Server = FastifyInstance<HttpsServer | HttpServer, IncomingMessage, ServerResponse>

/** Milliseconds between two looks for connections whose time is over. */
const LOOK_EVERY = 1000

/** One server over a route table: identity and permission come before the body is read. */
export function createServer<Operation extends string>(parts: ServerParts<Operation>): Server {
  const { limits, warning } = affordableLimits(parts.limits, openFileLimit())
  if (warning !== undefined) parts.log.warn(warning)
  const connections = parts.rules.keepConnections(limits)
  const server: Server = Fastify({
    ...listenerOptions(parts, limits),
    loggerInstance: parts.log.child({}, { serializers: { req: describeRequest } }),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: limits.requestTime,
    connectionTimeout: limits.requestTime,
    maxRequestsPerSocket: limits.requestsOfConnection,
    clientErrorHandler: refuseMalformed(connections),
    rewriteUrl: parts.rules.targetOf,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) =>
      refuse(parts.rules, error, 'envelope', request, reply),
  })
  server.setErrorHandler((error, request, reply) =>
    refuse(parts.rules, error, 'envelope', request, reply),
  )
  listenClosely(server, connections, parts.rules)
  checkRequests(server, parts.rules)
  const bodies = publicBodies(limits.publicBodies)
  readJsonBodies(server, parts.rules, bodies)
  refuseUnknownPaths(server, parts)
  for (const route of parts.routes) addRoute(server, { ...parts, bodies }, route)
  return server
}

/** A request as the log has it: without its query, as some clients put tokens there. */
function describeRequest({ method, url, ip, socket }: FastifyRequest) {
  return {
    method,
    url: url.replace(/[?#].*$/s, ''),
    remoteAddress: ip,
    remotePort: socket.remotePort,
  }
}

function listenerOptions(
  {
    tls,
    rules,
    refusesStrangers = false,
  }: Pick<ServerParts<string>, 'tls' | 'rules' | 'refusesStrangers'>,
  limits: HttpLimits,
) {
  const http = parserOptions(rules, limits)
  if (tls === undefined) return { http }
  return { https: { ...tlsOptions(tls, limits), rejectUnauthorized: refusesStrangers, ...http } }
}

function tlsOptions({ ca, certificate, key }: TlsFiles, limits: HttpLimits) {
  return {
    ca,
    cert: certificate,
    key,
    requestCert: true,
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.handshakeTime,
  } as const
}

function parserOptions({ isLenient }: HttpRules, limits: HttpLimits) {
  return {
    insecureHTTPParser: isLenient,
    maxHeaderSize: limits.headerSize,
    headersTimeout: limits.headerTime,
    connectionsCheckingInterval: LOOK_EVERY,
  }
}

/** Overrides of Node's defaults. */
function listenClosely(server: Server, connections: Connections, { headersKept }: HttpRules): void {
  const { server: listener } = server
  listener.maxHeadersCount = headersKept
  connections.watch(listener)
  listener.on('connect', refuseTunnel)
  // The first handshake decides the identity of a connection; a second one could present another certificate.
  listener.on('secureConnection', (socket: TLSSocket) => socket.disableRenegotiation())
  // 100 Continue is sent after authentication.
  for (const event of ['checkContinue', 'checkExpectation']) listener.on(event, server.routing)
  server.addHook('preParsing', async ({ raw }, reply) => {
    if (raw.headers.expect !== undefined && raw.httpVersion === '1.1') reply.raw.writeContinue()
  })
}

function checkRequests(server: Server, { checks }: HttpRules): void {
  server.addHook('onRequest', async ({ raw }) => {
    for (const { run } of checks) {
      const refusal = run(raw)
      if (refusal !== undefined) throw refusal
    }
  })
}

/**
 * Whose bodies a route reads, if any: those of any client, messages or logs, or of those that showed a credential.
 */
type Reads = 'public messages' | 'public logs' | 'own' | 'none'

function readsOf({ action, body }: Route): Reads {
  if (body === undefined) return 'none'
  return ACTIONS[action] === 'public' ? `public ${body === 'logs' ? 'logs' : 'messages'}` : 'own'
}

/**
 * Every body is read as JSON with any media type, as the document names none; where a route takes none, it
 * is not looked at.
 */
function readJsonBodies(server: Server, { parseBody }: HttpRules, bodies: PublicBodies): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    '*',
    async ({ routeOptions }: FastifyRequest, payload: IncomingMessage) => {
      const { config, bodyLimit } = routeOptions
      const body = await readBody(payload, bodyLimit)
      const { reads } = config as { readonly reads?: Reads }
      if (reads === 'public logs' && bodies.isLarge(body.length)) return new UnreadBody(body)
      if (reads === 'public messages') return bodies.parse(body.length, () => parseBody(body))
      return reads === 'none' ? undefined : parseBody(body)
    },
  )
}

/** In a hook, as a not-found handler would run only after the body was read. */
function refuseUnknownPaths<Operation extends string>(
  server: Server,
  { rules, routes }: ServerParts<Operation>,
): void {
  const replyTo = rules.replyToUnknownPath(routes)
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return replyTo(request, reply)
    return undefined
  })
}

function addRoute<Operation extends string>(
  server: Server,
  parts: ServerParts<Operation> & { readonly bodies: PublicBodies },
  route: Route<Operation> & Mount,
): void {
  const identities = new WeakMap<FastifyRequest, Identity>()
  const [bodyLimit, reads] = [parts.rules.bodyLimitOf(route, parts.limits.bodySize), readsOf(route)]
  server.route({
    method: route.method,
    url: `${route.prefix}${route.path}`,
    bodyLimit,
    config: { reads },
    onRequest: async (request, reply) => {
      identities.set(request, await admit(parts, route, request))
      if (reads.startsWith('public')) parts.bodies.admit(request.raw, reply.raw, bodyLimit)
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
    errorHandler: (error, request, reply) =>
      refuse(parts.rules, error, route.reply, request, reply),
  })
}

function refuse(
  { refusalOf }: HttpRules,
  error: unknown,
  form: ReplyForm,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = refusalOf(error)
  if (refusal.status >= 500) logRefusal(request, error, refusal)
  void sendError(reply, form, refusal)
}

/** A fault with its stack. A refusal that was meant has none: any client may cause as many as it likes. */
function logRefusal({ log }: FastifyRequest, error: unknown, { code, message }: ApiError): void {
  const isMeant = error instanceof ApiError && error.cause === undefined
  if (isMeant) log.info({ code }, message)
  else log.error(error)
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
