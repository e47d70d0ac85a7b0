import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Handler } from '../api/call.ts'
import type { Route } from '../api/routes.ts'
import { type ApiVersion, isWithin, prefixesOf, SERVED_VERSIONS } from '../api/versions.ts'
import type { Identity, Peer } from '../authorization/identity.ts'
import { type AuthorizationProvider, checkAuthorization } from '../authorization/simple.ts'
import type { TlsFiles } from '../pki/tls-directory.ts'
import { asApiError } from './faults.ts'
import { peerOf } from './peer.ts'
import { sendAnswer, sendError } from './reply.ts'
import { replyToUnknownPath } from './unknown-path.ts'

export interface ServerParts<Operation extends string> {
  readonly tls: TlsFiles
  readonly routes: readonly Route<Operation>[]
  readonly operations: Readonly<Record<Operation, Handler>>
  readonly identify: (credentials: {
    readonly authorization: string | undefined
    readonly peer: Peer
  }) => Promise<Identity>
  readonly authorization: AuthorizationProvider
  readonly maxUploadSize: number
  readonly log: FastifyBaseLogger
}

export type Server = FastifyInstance<HttpsServer, IncomingMessage, ServerResponse>

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
    },
    loggerInstance: parts.log,
    bodyLimit: parts.maxUploadSize,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: 120_000,
    connectionTimeout: 0,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  })
  readJsonBodies(server)
  server.setNotFoundHandler(replyToUnknownPath(parts.routes))
  for (const route of parts.routes) addRoute(server, parts, route)
  return server
}

/** Every body is read as JSON whatever its media type says; the document names none. */
function readJsonBodies(server: Server): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)))
    } catch (error) {
      done(error as Error)
    }
  })
}

function addRoute<Operation extends string>(
  server: Server,
  parts: ServerParts<Operation>,
  route: Route<Operation>,
): void {
  for (const { prefix, version } of mountsOf(route)) {
    const identities = new WeakMap<FastifyRequest, Identity>()
    server.route({
      method: route.method,
      url: `${prefix}${route.path}`,
      onRequest: async (request) => {
        identities.set(request, await admit(parts, route, request))
      },
      handler: async (request, reply) => {
        const answer = await parts.operations[route.operation]({
          version,
          path: request.url,
          params: request.params as Readonly<Record<string, string>>,
          body: request.body,
          identity: identities.get(request) ?? { type: 'anonymous' },
        })
        if (answer.afterwards !== undefined) reply.raw.once('close', answer.afterwards)
        return sendAnswer(reply, route.reply, answer)
      },
      errorHandler: (error, request, reply) => {
        const refusal = asApiError(error)
        if (refusal.status >= 500) request.log.error(error)
        void sendError(reply, route.reply, refusal)
      },
    })
  }
}

async function admit<Operation extends string>(
  parts: ServerParts<Operation>,
  route: Route<Operation>,
  request: FastifyRequest,
): Promise<Identity> {
  const identity = await parts.identify({
    authorization: request.headers.authorization,
    peer: peerOf(request.raw),
  })
  const { agent_id } = request.params as Readonly<Record<string, string>>
  checkAuthorization(parts.authorization, { identity, action: route.action, agentId: agent_id })
  return identity
}

interface Mount {
  readonly prefix: string
  readonly version: ApiVersion | undefined
}

/** Where a row of the route table is mounted: under every prefix of every served version in its range. */
export function mountsOf(route: Route): readonly Mount[] {
  if (route.unversioned === true) return [{ prefix: '', version: undefined }]
  const { since = '1.0', until } = route
  const range = until === undefined ? { since } : { since, until }
  return SERVED_VERSIONS.filter((version) => isWithin(version, range)).flatMap((version) =>
    prefixesOf(version).map((prefix) => ({ prefix, version })),
  )
}
