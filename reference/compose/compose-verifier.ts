import { createSecretKey } from 'node:crypto'
import type { Route } from '../api/routes/route.ts'
import { VERIFIER_ROUTES, type VerifierOperation } from '../api/routes/verifier.ts'
import { makeProvider } from '../authorization/providers.ts'
import type { VerifierConfig } from '../config/config.ts'
import type { Check } from '../evidence/check.ts'
import { type PossessionCase, possessionChecks } from '../evidence/quote/possession.ts'
import { reportChecks } from '../evidence/sev-snp/report-checks.ts'
import { registrationLookup } from '../http-client/look-up-registration.ts'
import { httpLimitsOf } from '../http-server/limits/http-limits.ts'
import { createServer } from '../http-server/server.ts'
import { ensureTlsDirectory } from '../pki/tls-directory.ts'
import { loadTlsFiles, type TlsFiles } from '../pki/tls-files.ts'
import { tlsDirectoryOf, tlsPlacesOf } from '../pki/tls-names.ts'
import { createLog, type Log } from '../platform/log.ts'
import {
  type AgentRow,
  databaseOf,
  openVerifierDatabase,
  type VerifierDatabase,
} from '../storage/databases/database.ts'
import { isPostgresUrl } from '../storage/databases/postgres-url.ts'
import { type VerifierStore, verifierStore } from '../storage/verifier-store.ts'
import type { Evaluator, EvaluatorSettings } from '../verifier/evaluation/evaluator.ts'
import { evaluatingInWorkers } from '../verifier/evaluation/worker-pool.ts'
import { type ListeningTime, listeningTime } from '../verifier/listening-time.ts'
import { OPERATIONAL_MOVES, type OperationalMove } from '../verifier/operational-state.ts'
import { verifierOperations } from '../verifier/operations.ts'
import type { Poller } from '../verifier/pull/poller.ts'
import { type PullRules, pullRules } from '../verifier/pull/pull-rules.ts'
import { type AcceptanceRules, acceptanceRules } from '../verifier/push/attestation/acceptance.ts'
import {
  type AttestationRules,
  attestationRules,
} from '../verifier/push/attestation/attestation-rules.ts'
import { mayAttest } from '../verifier/push/attestation/may-attest.ts'
import { type EvaluationQueue, evaluationQueue } from '../verifier/push/evaluation-queue.ts'
import { type SessionRules, sessionRules } from '../verifier/push/session/session-rules.ts'
import { standInKeys } from '../verifier/push/session/stand-in-keys.ts'
import { authenticateToken } from '../verifier/push/session/token.ts'
import { type VerifierReplies, verifierReplies } from '../verifier/shapes/verifier-replies.ts'
import { sharedState } from '../verifier/shared-state.ts'
import { loadTeeSettings, type TeeRules } from '../verifier/tee/evaluate-tee.ts'
import type { VerifierParts } from '../verifier/verifier-parts.ts'
import type { Component } from './component.ts'
import { pollsOf } from './compose-polls.ts'
import type { VerifierMetrics } from './metrics.ts'
import { providerOf, registrarClient } from './provider.ts'
import { SERVER_PARTS, type ServerParts } from './server-parts.ts'

/** The parts of a verifier that a mutant may replace; the shipped program uses `VERIFIER_PARTS`. */
export interface ComposedVerifierParts extends ServerParts {
  readonly verifierRoutes: readonly Route<VerifierOperation>[]
  readonly evaluator: (settings: EvaluatorSettings) => Evaluator
  readonly reportChecks: TeeRules['reportChecks']
  readonly operationalMoves: readonly OperationalMove[]
  readonly pullRules: PullRules
  readonly mayAttest: (agent: AgentRow) => boolean
  readonly acceptance: AcceptanceRules
  readonly readPolicyUpload: (evaluator: Evaluator) => VerifierParts['readPolicyUpload']
  readonly registrationLookup: typeof registrationLookup
  readonly verifierStore: (database: VerifierDatabase) => VerifierStore
  readonly possessionChecks: readonly Check<PossessionCase>[]
  readonly sharedState: typeof sharedState
  readonly listeningTime: typeof listeningTime
  readonly sessionRules: SessionRules
  readonly attestationRules: AttestationRules
  readonly verifierReplies: VerifierReplies
  readonly verifierOperations: typeof verifierOperations
}

export const VERIFIER_PARTS: ComposedVerifierParts = {
  ...SERVER_PARTS,
  verifierRoutes: VERIFIER_ROUTES,
  evaluator: evaluatingInWorkers,
  reportChecks,
  operationalMoves: OPERATIONAL_MOVES,
  pullRules,
  mayAttest,
  acceptance: acceptanceRules,
  readPolicyUpload: ({ readUpload }) => readUpload,
  registrationLookup,
  verifierStore,
  possessionChecks,
  sharedState,
  listeningTime,
  sessionRules,
  attestationRules,
  verifierReplies,
  verifierOperations,
}

/** Milliseconds that a claim holds unless its owner renews it. */
const CLAIM_LASTS = 5000

/**
 * Milliseconds after which a verifier stores the time, renews its claims, and looks for evidence that others left or
 * that could not be recorded.
 */
const WATCH_INTERVAL = 1000

/** Milliseconds after which it looks for agents that another verifier reactivated. */
const SWEEP_INTERVAL = 5000

export async function composeVerifier(
  config: VerifierConfig,
  parts: ComposedVerifierParts,
  log = createLog(config.log_level),
): Promise<Component> {
  const { authorization_provider } = config
  const authorization = makeProvider(
    'verifier',
    authorization_provider,
    parts.authorizationProviders,
  )
  const teeRules = { ...loadTeeSettings(config), reportChecks: parts.reportChecks }
  const tls = await verifierTls(config, parts.clock.now())
  const database = await openVerifierDatabase(databaseOf(config))
  const store = parts.verifierStore(database)
  const { clock, sessionRules: rules } = parts
  const listening = await parts.listeningTime(store.listening, clock)
  const shared = await parts.sharedState({ config, database, random: parts.random })
  const tokenKey = createSecretKey(shared.tokenKey)
  const registrar = registrarClient(config.registrar_ip, config.registrar_port, tls)
  const provider = providerOf(config, tls)
  const evaluator = parts.evaluator({
    workers: config.evaluation_workers,
    publicWorkers: config.public_evaluation_workers,
    limit: config.evaluation_limit * 1000,
    waiting: config.evaluations_waiting,
  })
  const metrics = await metricsOf(config, () => store.attestations.waiting('evaluating_evidence'))
  const { polls, revocations } = await pollsOf(config, parts, {
    ...{ store, log, evaluator, identity: tls.client, metrics },
    lookUpHost: provider?.lookUpHost,
  })
  const evaluations = evaluationQueue({
    ...(metrics && { metrics }),
    evaluating: {
      owner: `${config.verifier_id}/${parts.random.uuid()}`,
      claimLasts: CLAIM_LASTS,
    },
    ...{ store, clock, listening, log, evaluator },
    report: (incident) => revocations.notify(incident),
    settings: {
      severity: config,
      ignoreTomtouErrors: config.ignore_tomtou_errors,
      bootPolicyName: config.measured_boot_policy_name,
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
      ...{ clock, listening, random: parts.random },
      evaluations,
      replies: parts.verifierReplies,
      evaluator,
      teeRules,
      operationalMoves: parts.operationalMoves,
      poller: polls,
      mayAttest: parts.mayAttest,
      acceptance: parts.acceptance,
      readPolicyUpload: parts.readPolicyUpload(evaluator),
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
  await polls.start()
  const watch = setInterval(
    () => void watchOver({ listening, evaluations, log }),
    WATCH_INTERVAL,
  ).unref()
  const sweep = setInterval(() => void sweepOf(polls, log), SWEEP_INTERVAL).unref()
  return {
    server,
    ...(metrics && { metrics }),
    async close() {
      await Promise.all([server.close(), metrics?.close()])
      registrar.close()
      provider?.close()
      clearInterval(watch)
      clearInterval(sweep)
      await polls.stop()
      await evaluations.stop()
      await revocations.close()
      await evaluator.close()
      await listening.save().catch((err) => log.error({ err }, TIME_NOT_STORED))
      await store.close()
    },
  }
}

interface Watched {
  readonly listening: ListeningTime
  readonly evaluations: EvaluationQueue
  readonly log: Log
}

const TIME_NOT_STORED = 'the listening time of this verifier could not be stored'

/** What fails is done again a moment later. */
async function watchOver({ listening, evaluations, log }: Watched): Promise<void> {
  try {
    await listening.save()
    await evaluations.renew()
    evaluations.wake()
  } catch (err) {
    log.error({ err }, TIME_NOT_STORED)
  }
}

/** A database that does not answer is asked again. */
function sweepOf(polls: Poller, log: Log): Promise<void> {
  return polls.sweep().catch((err) => log.error({ err }, 'agent sweep failed'))
}

/** Loads the metrics code only if the settings enable it. */
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
 * other process works at, and those of the same name where several share one. Claims under the default name expire.
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
