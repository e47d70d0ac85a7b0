import { createSecretKey } from 'node:crypto'
import { mountRoutes } from './api/mounts.ts'
import type { ReplyShape } from './api/reply-shape.ts'
import { REGISTRAR_ROUTES, type RegistrarOperation } from './api/routes/registrar.ts'
import type { Route } from './api/routes/route.ts'
import { VERIFIER_ROUTES, type VerifierOperation } from './api/routes/verifier.ts'
import { ACTIONS } from './authorization/actions.ts'
import { administratorOf, type IdentityParts, selectIdentity } from './authorization/identity.ts'
import {
  AUTHORIZATION_PROVIDERS,
  makeProvider,
  type ProviderRegistry,
} from './authorization/providers.ts'
import { type Clock, systemClock } from './clock.ts'
import type { RegistrarConfig, VerifierConfig } from './config.ts'
import type { Check } from './evidence/check.ts'
import { type PossessionCase, possessionChecks } from './evidence/possession.ts'
import { jsonClient } from './http-client/json-client.ts'
import { httpLimitsOf } from './http-server/http-limits.ts'
import { type HttpRules, httpRules } from './http-server/http-rules.ts'
import { createServer, type Server, type ServerParts } from './http-server/server.ts'
import { createLog } from './log.ts'
import type { VerifierMetrics } from './metrics.ts'
import { ensureTlsDirectory } from './pki/tls-directory.ts'
import { loadTlsFiles, type TlsFiles } from './pki/tls-files.ts'
import { tlsDirectoryOf, tlsPlacesOf } from './pki/tls-names.ts'
import { type Random, systemRandom } from './random.ts'
import { loadCertificateSettings } from './registrar/certificate-settings.ts'
import { registrarOperations } from './registrar/operations.ts'
import { REGISTRATION_RECORD } from './registrar/present-registration.ts'
import { type RegistrationRules, registrationRules } from './registrar/registration-rules.ts'
import {
  type AgentRow,
  databaseOf,
  openRegistrarDatabase,
  openVerifierDatabase,
  type RegistrationRow,
  type VerifierDatabase,
} from './storage/database.ts'
import { isPostgresUrl } from './storage/postgres-url.ts'
import { registrarStore } from './storage/registrar-store.ts'
import { type VerifierStore, verifierStore } from './storage/verifier-store.ts'
import type { Evaluator, EvaluatorSettings } from './verifier/evaluation/evaluator.ts'
import { evaluatingInWorkers } from './verifier/evaluation/worker-pool.ts'
import { registrationLookup } from './verifier/look-up-registration.ts'
import { OPERATIONAL_MOVES, type OperationalMove } from './verifier/operational-state.ts'
import { verifierOperations } from './verifier/operations.ts'
import { parseRuntimePolicyUpload } from './verifier/policies/parse-policy-upload.ts'
import { type AcceptanceRules, acceptanceRules } from './verifier/push/acceptance.ts'
import { type AttestationRules, attestationRules } from './verifier/push/attestation-rules.ts'
import { evaluationQueue } from './verifier/push/evaluation.ts'
import { mayAttest } from './verifier/push/may-attest.ts'
import { type SessionRules, sessionRules } from './verifier/push/session-rules.ts'
import { standInKeys } from './verifier/push/stand-in-keys.ts'
import { authenticateToken } from './verifier/push/token.ts'
import { sharedState } from './verifier/shared-state.ts'
import { type VerifierReplies, verifierReplies } from './verifier/verifier-replies.ts'

/** Everything that a mutant may swap for another; the shipped reference takes `SHIPPED_PARTS` as it is. */
export interface Parts extends IdentityParts {
  readonly registrarRoutes: readonly Route<RegistrarOperation>[]
  readonly verifierRoutes: readonly Route<VerifierOperation>[]
  readonly mountRoutes: typeof mountRoutes
  readonly clock: Clock
  readonly random: Random
  readonly authorizationProviders: ProviderRegistry
  readonly evaluator: (settings: EvaluatorSettings) => Evaluator
  readonly operationalMoves: readonly OperationalMove[]
  readonly mayAttest: (agent: AgentRow) => boolean
  readonly acceptance: AcceptanceRules
  readonly readPolicyUpload: (base64: string) => string
  readonly registrationLookup: typeof registrationLookup
  readonly verifierStore: (database: VerifierDatabase) => VerifierStore
  readonly possessionChecks: readonly Check<PossessionCase>[]
  readonly sessionRules: SessionRules
  readonly attestationRules: AttestationRules
  readonly registrationRules: RegistrationRules
  readonly registrationRecord: ReplyShape<RegistrationRow>
  readonly verifierReplies: VerifierReplies
  readonly httpRules: HttpRules
  readonly registrarOperations: typeof registrarOperations
  readonly verifierOperations: typeof verifierOperations
  /** What of the registrar is served without TLS too. */
  plainRoutes<Row extends Route>(routes: readonly Row[]): readonly Row[]
}

export const SHIPPED_PARTS: Parts = {
  registrarRoutes: REGISTRAR_ROUTES,
  verifierRoutes: VERIFIER_ROUTES,
  mountRoutes,
  clock: systemClock,
  random: systemRandom,
  administratorOf,
  selectIdentity,
  authorizationProviders: AUTHORIZATION_PROVIDERS,
  evaluator: evaluatingInWorkers,
  operationalMoves: OPERATIONAL_MOVES,
  mayAttest,
  acceptance: acceptanceRules,
  readPolicyUpload: parseRuntimePolicyUpload,
  registrationLookup,
  verifierStore,
  possessionChecks,
  sessionRules,
  attestationRules,
  registrationRules,
  registrationRecord: REGISTRATION_RECORD,
  verifierReplies,
  httpRules,
  registrarOperations,
  verifierOperations,
  plainRoutes: (routes) => routes.filter(({ action }) => ACTIONS[action] === 'public'),
}

/** A component that is ready to listen. */
export interface Component {
  readonly server: Server
  /** The same without TLS, as far as everybody may ask; undefined where the settings give it no port. */
  readonly plain?: Server
  /** Counters for monitoring; undefined where the settings give them no port. */
  readonly metrics?: VerifierMetrics
  /** Ends the server, waits for work in hand, and closes the database. */
  close(): Promise<void>
}

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

/** Milliseconds, and bytes, that an answer of the registrar may take. */
const REGISTRAR_TIMEOUT = 10_000
const REGISTRAR_ANSWER = 1_048_576

/** Milliseconds that a claim holds beyond the time for evaluating. */
const CLAIM_MARGIN = 10_000

/** Milliseconds after which a verifier looks for evidence that others left or that could not be recorded. */
const WATCH_INTERVAL = 1000

export async function composeVerifier(
  config: VerifierConfig,
  parts: Parts,
  log = createLog(config.log_level),
): Promise<Component> {
  const { authorization_provider } = config
  const authorization = makeProvider(
    'verifier',
    authorization_provider,
    parts.authorizationProviders,
  )
  const tls = await verifierTls(config, parts.clock.now())
  const database = await openVerifierDatabase(databaseOf(config))
  const store = parts.verifierStore(database)
  const { clock, sessionRules: rules } = parts
  const shared = await sharedState({ config, database, random: parts.random })
  const tokenKey = createSecretKey(shared.tokenKey)
  const registrar = jsonClient({
    ...{ host: config.registrar_ip, port: config.registrar_port, ca: tls.ca },
    ...(tls.client && { identity: tls.client }),
    ...{ timeoutMs: REGISTRAR_TIMEOUT, maxBytes: REGISTRAR_ANSWER },
  })
  const evaluator = parts.evaluator({
    workers: config.evaluation_workers,
    limit: config.evaluation_limit * 1000,
    waiting: config.evaluations_waiting,
  })
  const metrics = await metricsOf(config, () => store.attestations.waiting('evaluating_evidence'))
  const evaluations = evaluationQueue({
    ...(metrics && { metrics }),
    evaluating: {
      owner: `${config.verifier_id}/${parts.random.uuid()}`,
      claimLasts: 2 * config.evaluation_limit * 1000 + CLAIM_MARGIN,
    },
    store,
    clock: parts.clock,
    log,
    evaluator,
    settings: {
      ignoreTomtouErrors: config.ignore_tomtou_errors,
      tokenExtension: config.extend_token_on_attestation
        ? config.session_lifetime * 1000
        : undefined,
    },
  })
  const server = createServer({
    tls,
    routes: parts.mountRoutes(parts.verifierRoutes, config.api_versions),
    operations: parts.verifierOperations({
      config,
      store,
      clock: parts.clock,
      random: parts.random,
      evaluations,
      replies: parts.verifierReplies,
      evaluator,
      operationalMoves: parts.operationalMoves,
      mayAttest: parts.mayAttest,
      acceptance: parts.acceptance,
      readPolicyUpload: parts.readPolicyUpload,
      lookUpRegistration: parts.registrationLookup(registrar),
      possessionChecks: parts.possessionChecks,
      tokenKey,
      openSessions: shared.openSessions,
      sessionRules: parts.sessionRules,
      attestationRules: parts.attestationRules,
      standInKeys: standInKeys(parts.random),
    }),
    identify: (credentials) =>
      parts.selectIdentity(
        credentials,
        (token) => authenticateToken({ store, clock, tokenKey, sessionRules: rules }, token),
        parts.administratorOf,
      ),
    authorization,
    clock: parts.clock,
    limits: httpLimitsOf(config),
    rules: parts.httpRules,
    log,
  })
  await store.attestations.releaseOf(earlierOwners(config))
  evaluations.wake()
  const watch = setInterval(() => evaluations.wake(), WATCH_INTERVAL).unref()
  return {
    server,
    ...(metrics && { metrics }),
    async close() {
      await Promise.all([server.close(), metrics?.close()])
      registrar.close()
      clearInterval(watch)
      await evaluations.stop()
      await evaluator.close()
      await store.close()
    },
  }
}

/** Nobody waits for what counts to be loaded where nobody asked for it. */
async function metricsOf(
  config: VerifierConfig,
  waiting: () => Promise<number>,
): Promise<VerifierMetrics | undefined> {
  if (config.metrics_port === 'off') return undefined
  const { verifierMetrics } = await import('./metrics.ts')
  return verifierMetrics(waiting)
}

/**
 * Whose claims end when this verifier starts, by how their names begin: all where the database is a file, which no
 * other process works at, and those of the same name where several share one. Of a name that nobody gave, they expire.
 */
function earlierOwners({ database, verifier_id }: VerifierConfig): string {
  if (!isPostgresUrl(database)) return ''
  return verifier_id === 'default' ? 'nobody/' : `${verifier_id}/`
}

/** With `tls_dir = generate` the verifier makes the files that it, the registrar and the tenant share. */
async function verifierTls(config: VerifierConfig, now: number): Promise<TlsFiles> {
  if (config.tls_dir === 'generate') {
    const more = config.cert_subject_alternative_names.split(',').map((name) => name.trim())
    const hosts = [config.ip, ...more].filter((name) => name !== '')
    await ensureTlsDirectory({ directory: tlsDirectoryOf(config), hosts, now })
  }
  return loadTlsFiles(tlsPlacesOf(config), now)
}
