import { createSecretKey, type KeyObject } from 'node:crypto'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Answer } from '../../../api/call.ts'
import type { VerifierOperation } from '../../../api/routes/verifier.ts'
import type { ApiVersion } from '../../../api/versions.ts'
import { loadConfig, type VerifierConfig } from '../../../config/config.ts'
import { ApiError } from '../../../errors.ts'
import type { Check } from '../../../evidence/check.ts'
import { evaluate as shippedEvaluate } from '../../../evidence/evaluate.ts'
import { type PossessionCase, possessionChecks } from '../../../evidence/quote/possession.ts'
import { reportChecks } from '../../../evidence/sev-snp/report-checks.ts'
import type { LookUpHost, LookUpRegistration } from '../../../http-client/look-up-registration.ts'
import type { Credential } from '../../../pki/authority.ts'
import { openVerifierDatabase } from '../../../storage/databases/database.ts'
import { type VerifierStore, verifierStore } from '../../../storage/verifier-store.ts'
import { inProcessEvaluator } from '../../../verifier/evaluation/in-process-evaluator.ts'
import type { Evaluate } from '../../../verifier/evaluation/with-time-limit.ts'
import { listeningTime } from '../../../verifier/listening-time.ts'
import { OPERATIONAL_MOVES } from '../../../verifier/operational-state.ts'
import { verifierOperations } from '../../../verifier/operations.ts'
import type { PollParts } from '../../../verifier/pull/poll-parts.ts'
import { type Poller, poller } from '../../../verifier/pull/poller.ts'
import { type PullRules, pullRules } from '../../../verifier/pull/pull-rules.ts'
import type { Alarm } from '../../../verifier/pull/schedule.ts'
import { acceptanceRules } from '../../../verifier/push/attestation/acceptance.ts'
import { attestationRules } from '../../../verifier/push/attestation/attestation-rules.ts'
import { mayAttest } from '../../../verifier/push/attestation/may-attest.ts'
import { type EvaluationQueue, evaluationQueue } from '../../../verifier/push/evaluation-queue.ts'
import {
  openSessions,
  type SessionsInMemory,
} from '../../../verifier/push/session/open-sessions.ts'
import {
  type SessionRules,
  sessionRules as shippedRules,
} from '../../../verifier/push/session/session-rules.ts'
import { standInKeys } from '../../../verifier/push/session/stand-in-keys.ts'
import type { Incident } from '../../../verifier/revocation/compose-notice.ts'
import { verifierReplies } from '../../../verifier/shapes/verifier-replies.ts'
import { loadTeeSettings } from '../../../verifier/tee/evaluate-tee.ts'
import { callOf } from '../call-of.ts'
import { seededRandom } from '../seeded-random.ts'
import { type SettableClock, settableClock } from '../settable-clock.ts'

/** Milliseconds. */
const CLAIM_LASTS = 30_000

/** A verifier in memory, asked without HTTP. */
export interface TestVerifier {
  readonly clock: SettableClock
  readonly config: VerifierConfig
  readonly store: VerifierStore
  readonly tokenKey: KeyObject
  readonly openSessions: SessionsInMemory
  readonly sessionRules: SessionRules
  readonly polls: Poller
  /** Incidents that revocation receivers would get. */
  readonly incidents: readonly Incident[]
  /** Does not begin the work that an answer leaves for afterwards. */
  ask(operation: VerifierOperation, params: Params, body?: unknown, query?: Params): Promise<Answer>
  /** Another queue over the same store, as after a restart. */
  restarted(): EvaluationQueue
  /** Runs the work that an answer left for later, and waits for it. */
  finish(answer: Answer): Promise<void>
  logged(): string
}

type Params = Readonly<Record<string, string>>

export interface TestVerifierOptions {
  readonly settings?: readonly string[]
  readonly evaluate?: Evaluate
  readonly sessionRules?: SessionRules
  readonly checks?: readonly Check<PossessionCase>[]
  /** Looks up the keys of agents that are added without one; by default a lookup is an error. */
  readonly lookUpRegistration?: LookUpRegistration
  /** In which every call is made. */
  readonly version?: ApiVersion
  /** How agents are polled; by default without a client certificate, and with the system timer. */
  readonly polling?: {
    readonly alarm?: Alarm
    readonly identity?: Credential
    readonly rules?: Partial<PullRules>
    readonly lookUpHost?: LookUpHost
    readonly metrics?: NonNullable<PollParts['metrics']>
  }
}

export async function testVerifier({
  settings = [],
  evaluate = shippedEvaluate,
  sessionRules = shippedRules,
  checks = possessionChecks,
  lookUpRegistration = () =>
    Promise.reject(new ApiError('registrar_unreachable', 'there is no registrar')),
  version = '2.5',
  polling = {},
}: TestVerifierOptions = {}): Promise<TestVerifier> {
  const config = loadConfig('verifier', undefined, settings)
  const store = verifierStore(await openVerifierDatabase(':memory:'))
  onTestFinished(() => store.close())
  const [clock, random, lines] = [settableClock(), seededRandom(), [] as string[]]
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const listening = await listeningTime(store.listening, clock)
  const tokenKey = createSecretKey(random.bytes(32))
  const waiting = openSessions({
    perAgent: config.open_sessions_per_agent,
    inAll: config.open_sessions,
  })
  const evaluator = inProcessEvaluator({ evaluate })
  const incidents: Incident[] = []
  const report = (incident: Incident): void => void incidents.push(incident)
  const queue = (owner: string) =>
    evaluationQueue({
      evaluating: { owner, claimLasts: CLAIM_LASTS },
      ...{ store, clock, listening, log, evaluator, report },
      settings: {
        severity: config,
        ignoreTomtouErrors: config.ignore_tomtou_errors,
        bootPolicyName: config.measured_boot_policy_name,
        tokenExtension: config.session_lifetime * 1000,
      },
    })
  const evaluations = queue('first')
  const pollParts = {
    ...{ config, store, clock, random, log, evaluator },
    ...{ operationalMoves: OPERATIONAL_MOVES, identity: polling.identity },
    pullRules: { ...pullRules, ...polling.rules },
    lookUpHost: polling.lookUpHost,
    ...(polling.metrics && { metrics: polling.metrics }),
    report,
  }
  const polls = poller(pollParts, polling.alarm)
  onTestFinished(() => polls.stop())
  const operations = verifierOperations({
    config,
    store,
    clock,
    listening,
    random,
    evaluations,
    replies: verifierReplies,
    evaluator,
    teeRules: { ...loadTeeSettings(config), reportChecks },
    operationalMoves: OPERATIONAL_MOVES,
    poller: polls,
    mayAttest,
    acceptance: acceptanceRules,
    readPolicyUpload: evaluator.readUpload,
    lookUpRegistration,
    attestationRules,
    possessionChecks: checks,
    tokenKey,
    openSessions: waiting,
    sessionRules,
    standInKeys: standInKeys(random),
  })
  return {
    clock,
    config,
    store,
    tokenKey,
    openSessions: waiting,
    sessionRules,
    polls,
    incidents,
    ask: async (operation, params, body, query) =>
      operations[operation]({ ...callOf(params, body, query), version }),
    restarted: () => queue('second'),
    async finish(answer) {
      answer.afterwards?.()
      await evaluations.drained()
    },
    logged: () => lines.join(''),
  }
}
