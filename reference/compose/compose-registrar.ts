import type { ReplyShape } from '../api/reply-shape.ts'
import { REGISTRAR_ROUTES, type RegistrarOperation } from '../api/routes/registrar.ts'
import type { Route } from '../api/routes/route.ts'
import { makeProvider } from '../authorization/providers.ts'
import type { RegistrarConfig } from '../config/config.ts'
import { httpLimitsOf } from '../http-server/limits/http-limits.ts'
import { createServer, type ServerParts as HttpServerParts } from '../http-server/server.ts'
import { loadTlsFiles } from '../pki/tls-files.ts'
import { tlsPlacesOf } from '../pki/tls-names.ts'
import { createLog } from '../platform/log.ts'
import { loadCertificateSettings } from '../registrar/certificate-settings.ts'
import { registrarOperations } from '../registrar/operations.ts'
import { REGISTRATION_RECORD } from '../registrar/present-registration.ts'
import { type RegistrationRules, registrationRules } from '../registrar/registration-rules.ts'
import {
  databaseOf,
  openRegistrarDatabase,
  type RegistrationRow,
} from '../storage/databases/database.ts'
import { registrarStore } from '../storage/registrar-store.ts'
import type { Component } from './component.ts'
import { providerOf } from './provider.ts'
import { SERVER_PARTS, type ServerParts } from './server-parts.ts'

/** The parts of a registrar that a mutant may replace; the shipped program uses `REGISTRAR_PARTS`. */
export interface ComposedRegistrarParts extends ServerParts {
  readonly registrarRoutes: readonly Route<RegistrarOperation>[]
  readonly registrationRules: RegistrationRules
  readonly registrationRecord: ReplyShape<RegistrationRow>
  readonly registrarOperations: typeof registrarOperations
}

export const REGISTRAR_PARTS: ComposedRegistrarParts = {
  ...SERVER_PARTS,
  registrarRoutes: REGISTRAR_ROUTES,
  registrationRules,
  registrationRecord: REGISTRATION_RECORD,
  registrarOperations,
}

export async function composeRegistrar(
  config: RegistrarConfig,
  parts: ComposedRegistrarParts,
): Promise<Component> {
  const { authorization_provider } = config
  const authorization = makeProvider(
    'registrar',
    authorization_provider,
    parts.authorizationProviders,
  )
  const certificates = loadCertificateSettings(config)
  const { client_cert: _, client_key: __, ...withoutClient } = config
  const hasProvider = config.provider_registrar_ip !== ''
  const places = tlsPlacesOf(hasProvider ? config : withoutClient)
  const tls = loadTlsFiles(places, parts.clock.now())
  const provider = providerOf(config, tls)
  const store = registrarStore(await openRegistrarDatabase(databaseOf(config)))
  const log = createLog(config.log_level)
  const routes = parts.mountRoutes(parts.registrarRoutes, config.api_versions)
  const common = {
    operations: parts.registrarOperations(
      {
        ...{ store, certificates, clock: parts.clock, random: parts.random },
        rules: parts.registrationRules,
        registration: parts.registrationRecord,
        lookUpHost: provider?.lookUpHost,
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
  } satisfies Partial<HttpServerParts<RegistrarOperation>>
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
      provider?.close()
      await store.close()
    },
  }
}
