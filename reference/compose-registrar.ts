import type { RegistrarOperation } from './api/routes/registrar.ts'
import { makeProvider } from './authorization/providers.ts'
import type { Component, Parts } from './compose.ts'
import type { RegistrarConfig } from './config.ts'
import { httpLimitsOf } from './http-server/http-limits.ts'
import { createServer, type ServerParts } from './http-server/server.ts'
import { createLog } from './log.ts'
import { loadTlsFiles } from './pki/tls-files.ts'
import { tlsPlacesOf } from './pki/tls-names.ts'
import { loadCertificateSettings } from './registrar/certificate-settings.ts'
import { databaseOf, openRegistrarDatabase } from './storage/database.ts'
import { registrarStore } from './storage/registrar-store.ts'

export async function composeRegistrar(config: RegistrarConfig, parts: Parts): Promise<Component> {
  const { authorization_provider } = config
  const authorization = makeProvider(
    'registrar',
    authorization_provider,
    parts.authorizationProviders,
  )
  const certificates = loadCertificateSettings(config)
  const tls = loadTlsFiles(tlsPlacesOf(config), parts.clock.now())
  const store = registrarStore(await openRegistrarDatabase(databaseOf(config)))
  const log = createLog(config.log_level)
  const routes = parts.mountRoutes(parts.registrarRoutes, config.api_versions)
  const common = {
    operations: parts.registrarOperations(
      {
        ...{ store, certificates, clock: parts.clock, random: parts.random },
        rules: parts.registrationRules,
        registration: parts.registrationRecord,
        warn: (sentence) => log.warn(sentence),
      },
      config.api_versions,
    ),
    // Tokens are the verifier's: at the registrar a bearer header is a credential that does not hold.
    identify: (credentials) =>
      parts.selectIdentity(credentials, () => Promise.resolve(undefined), parts.administratorOf),
    authorization,
    clock: parts.clock,
    limits: httpLimitsOf(config),
    rules: parts.httpRules,
    log,
  } satisfies Partial<ServerParts<RegistrarOperation>>
  const server = createServer({ ...common, tls, routes })
  const plain =
    config.http_port === 'off'
      ? undefined
      : createServer({ ...common, tls: undefined, routes: parts.plainRoutes(routes) })
  return {
    server,
    ...(plain === undefined ? {} : { plain }),
    async close() {
      await Promise.all([server.close(), plain?.close()])
      await store.close()
    },
  }
}
