import type { VerifierConfig } from '../../config/config.ts'
import type { JsonClient } from '../../http-client/json-client.ts'
import type { LookUpHost } from '../../http-client/look-up-registration.ts'
import type { Credential } from '../../pki/authority.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import type { OperationalEvent, OperationalMove } from '../operational-state.ts'
import type { Incident } from '../revocation/compose-notice.ts'
import type { PullRules } from './pull-rules.ts'

/** What polls work with. */
export interface PollParts {
  readonly config: VerifierConfig
  readonly store: VerifierStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly evaluator: Evaluator
  readonly operationalMoves: readonly OperationalMove[]
  /** Undefined where the settings name no provider's registrar. */
  readonly lookUpHost?: LookUpHost | undefined
  readonly pullRules: PullRules
  /** The client certificate for agents; undefined to connect without one. */
  readonly identity: Credential | undefined
  /** Reports agents that failed. */
  readonly report: (incident: Incident) => void
  /** Counts the outcomes of polls and their seconds. */
  readonly metrics?: { polled(event: string, seconds: number): void }
}

/** The state of an agent between two polls, in memory only. */
export interface AgentLine {
  readonly enrolment: string
  readonly client: JsonClient
  /** Times in a row that there was no answer. */
  tries: number
  /** Whether the node key of the record is assumed to be that of the agent. */
  knowsKey: boolean
  /** When it was asked last, in milliseconds of `Clock.awake`. */
  begunAt: number
}

/** The failure of a poll, if any. */
export interface Failure {
  readonly severity_level: number
  readonly last_event_id: string
  /** JSON of the finding's context. */
  readonly context: string
}

/** The outcome of a poll. */
export interface PollOutcome {
  readonly event: OperationalEvent
  /** Changes to the record in addition to those of the transition. */
  readonly change?: (agent: AgentRow) => Partial<AgentRow>
  readonly failure?: Failure
  /** One sentence for the log; nothing is logged without it. */
  readonly why?: string
}
