import type { Route } from '../api/routes/route.ts'
import { TENANT_WEB_ROUTES, type TenantWebOperation } from '../api/routes/tenant-web.ts'
import { simpleProvider } from '../authorization/simple.ts'
import type { TenantConfig } from '../config/config.ts'
import { browserChecks } from '../http-server/browser-checks.ts'
import type { HttpLimits } from '../http-server/limits/http-limits.ts'
import { createServer } from '../http-server/server.ts'
import { loadTlsFiles } from '../pki/tls-files.ts'
import { tlsPlacesOf } from '../pki/tls-names.ts'
import { createLog } from '../platform/log.ts'
import { openTenant } from '../tenant/tenant.ts'
import { TENANT_PARTS, type TenantParts } from '../tenant/tenant-parts.ts'
import { loadPageFiles } from '../tenant/web/page-files.ts'
import { sharedSession } from '../tenant/web/shared-session.ts'
import { webLog } from '../tenant/web/web-log.ts'
import {
  TENANT_WEB_RULES,
  type TenantWebRules,
  tenantWebOperations,
} from '../tenant/web/web-operations.ts'
import type { Component } from './component.ts'
import { SERVER_PARTS, type ServerParts } from './server-parts.ts'

/** The parts of the web application that a mutant may replace; the shipped program uses `TENANT_WEB_PARTS`. */
export interface ComposedTenantWebParts extends ServerParts {
  readonly tenant: TenantParts
  readonly tenantWebRoutes: readonly Route<TenantWebOperation>[]
  readonly tenantWebRules: TenantWebRules
}

export const TENANT_WEB_PARTS: ComposedTenantWebParts = {
  ...SERVER_PARTS,
  tenant: TENANT_PARTS,
  tenantWebRoutes: TENANT_WEB_ROUTES,
  tenantWebRules: TENANT_WEB_RULES,
}

/** The version whose listing has the web application. */
const VERSIONS = ['2.0'] as const

/** The tenant as a web application, which administrators use with a browser or a program. */
export async function composeTenantWeb(
  config: TenantConfig,
  parts: ComposedTenantWebParts,
): Promise<Component> {
  const tls = loadTlsFiles(
    tlsPlacesOf({
      ...{ tls_dir: config.tls_dir, state_dir: config.state_dir },
      trusted_client_ca: config.web_trusted_client_ca,
      ...{ server_cert: config.web_server_cert, server_key: config.web_server_key },
    }),
    parts.clock.now(),
  )
  const options = { uuid: '', verify: true, verifierCheck: true, set: [] }
  const open = (say: (sentence: string) => void) => openTenant(config, options, parts.tenant, say)
  const reading = sharedSession(() => open(() => undefined))
  // Files of the administrator that cannot be used are reported at the start.
  open(() => undefined).close()
  const log = createLog(config.log_level)
  const lines = webLog(parts.clock)
  lines.add('the web application has started')
  const server = createServer({
    ...{ tls, log, clock: parts.clock, refusesStrangers: true },
    routes: parts.mountRoutes(parts.tenantWebRoutes, VERSIONS),
    operations: tenantWebOperations({
      ...{ rules: parts.tenantWebRules, log: lines, page: loadPageFiles(), open, reading },
    }),
    identify: (credentials) =>
      parts.selectIdentity(credentials, () => Promise.resolve(undefined), parts.administratorOf),
    authorization: simpleProvider(),
    limits: limitsOf(config),
    rules: { ...parts.httpRules, checks: [...parts.httpRules.checks, ...browserChecks] },
  })
  return {
    server,
    close: async () => {
      await server.close()
      reading.close()
    },
  }
}

/** Files come in base64, at the side of other members. */
function limitsOf({ max_payload_size, request_timeout }: TenantConfig): HttpLimits {
  return {
    ...{ connections: 256, connectionsOfAddress: 128, requestsOfConnection: 10_000 },
    ...{ headerSize: 16_384, bodySize: 65_536 + 2 * max_payload_size, publicBodies: 0 },
    ...{ handshakeTime: 10_000, headerTime: 20_000, requestTime: request_timeout * 1000 + 60_000 },
  }
}
