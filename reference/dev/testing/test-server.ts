import { pino } from 'pino'
import type { Answer, Handler } from '../../api/call.ts'
import { mountRoutes } from '../../api/mounts.ts'
import type { Route } from '../../api/routes/route.ts'
import { administratorOf, type Identity, selectIdentity } from '../../authorization/identity.ts'
import type { AuthorizationProvider } from '../../authorization/provider.ts'
import { simpleProvider } from '../../authorization/simple.ts'
import { loadConfig } from '../../config/config.ts'
import { httpRules } from '../../http-server/http-rules.ts'
import { type HttpLimits, httpLimitsOf } from '../../http-server/limits/http-limits.ts'
import { createServer, type Server } from '../../http-server/server.ts'
import { type Authority, createAuthority, SERVER_AUTH } from '../../pki/authority.ts'
import type { TlsFiles } from '../../pki/tls-files.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'

export const authority = await createAuthority('Test CA', Date.now())

/** The TLS files of a server of that CA. */
export async function tlsOf(ca: Authority): Promise<TlsFiles> {
  const hosts = [{ type: 'ip', value: '127.0.0.1' } as const]
  const { certificate, key } = await ca.issue({ commonName: 'server', usage: SERVER_AUTH, hosts })
  return { ca: ca.certificate, certificate, key }
}

const LIMITS = httpLimitsOf(loadConfig('registrar', undefined, []))
const TLS = await tlsOf(authority)

/** A table with one row of every kind. */
const ROUTES = [
  row('GET', '/open', 'read_version', 'envelope'),
  { ...row('POST', '/open', 'create_session', 'document'), body: 'message' },
  { ...row('POST', '/evaluate', 'verify_evidence', 'envelope'), body: 'logs' },
  row('GET', '/agents/:agent_id', 'read_agent', 'envelope'),
  { ...row('PATCH', '/agents/:agent_id', 'submit_attestation', 'document'), body: 'logs' },
  row('DELETE', '/policies/:name', 'delete_runtime_policy', 'envelope'),
] as const satisfies readonly Route[]

function row<M extends Route['method'], A extends Route['action'], F extends Route['reply']>(
  method: M,
  path: string,
  action: A,
  reply: F,
) {
  return { method, path, operation: `${method} ${path}`, action, reply, since: '3.0' } as const
}

export interface TestServer {
  readonly server: Server
  /** Everything that was logged, as text. */
  logged(): string
}

export interface TestServerOptions {
  /** The identity of every client. */
  readonly identity?: Identity
  readonly maxUploadSize?: number
  readonly limits?: Partial<HttpLimits>
  readonly tls?: TlsFiles
  readonly clock?: Clock
  readonly authorization?: AuthorizationProvider
}

/** A server over {@link ROUTES} with one operation for all rows; the token `live` is agent `a`. */
export function testServer(operation: Handler = echo, options: TestServerOptions = {}): TestServer {
  const { identity, maxUploadSize = 2_000_000, tls = TLS, clock = systemClock } = options
  const { authorization = simpleProvider(), limits = {} } = options
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const server = createServer({
    tls,
    routes: mountRoutes(ROUTES, ['3.0']),
    operations: Object.fromEntries(ROUTES.map((route) => [route.operation, operation])),
    identify: async (credentials) =>
      identity ??
      selectIdentity(
        credentials,
        (token) => Promise.resolve(token === 'live' ? 'a' : undefined),
        administratorOf,
      ),
    authorization,
    clock,
    limits: { ...LIMITS, ...limits, bodySize: maxUploadSize },
    rules: httpRules,
    log,
  })
  return { server, logged: () => lines.join('') }
}

export const AS_AGENT = { authorization: 'Bearer live' }

function echo({ params, body, version, identity }: Parameters<Handler>[0]): Answer {
  return { body: { params, body, version, identity } }
}
