import type { KeyObject } from 'node:crypto'
import type { VerifierConfig } from '../config/config.ts'
import type { Check } from '../evidence/check.ts'
import type { PossessionCase } from '../evidence/quote/possession.ts'
import type { LookUpRegistration } from '../http-client/look-up-registration.ts'
import type { Clock } from '../platform/clock.ts'
import type { Random } from '../platform/random.ts'
import type { AgentRow } from '../storage/databases/database.ts'
import type { OpenSessions } from '../storage/open-session-store.ts'
import type { VerifierStore } from '../storage/verifier-store.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import type { ListeningTime } from './listening-time.ts'
import type { OperationalMove } from './operational-state.ts'
import type { Poller } from './pull/poller.ts'
import type { AcceptanceRules } from './push/attestation/acceptance.ts'
import type { AttestationRules } from './push/attestation/attestation-rules.ts'
import type { EvaluationQueue } from './push/evaluation-queue.ts'
import type { SessionRules } from './push/session/session-rules.ts'
import type { StandInKeys } from './push/session/stand-in-keys.ts'
import type { VerifierReplies } from './shapes/verifier-replies.ts'
import type { TeeRules } from './tee/evaluate-tee.ts'

/** The dependencies of the verifier's operations. */
export interface VerifierParts {
  readonly config: VerifierConfig
  readonly store: VerifierStore
  readonly clock: Clock
  /** By which the silence of agents is measured. */
  readonly listening: ListeningTime
  readonly random: Random
  readonly evaluations: EvaluationQueue
  readonly replies: VerifierReplies
  readonly evaluator: Evaluator
  readonly teeRules: TeeRules
  readonly operationalMoves: readonly OperationalMove[]
  /** Asks agents for quotes that do not attest by themselves. */
  readonly poller: Pick<Poller, 'wake' | 'end'>
  readonly lookUpRegistration: LookUpRegistration
  /** Whether this agent may attest. */
  readonly mayAttest: (agent: AgentRow) => boolean
  /** Gives the text of a runtime policy that can be used, and refuses any other. */
  readonly readPolicyUpload: Evaluator['readUpload']
  /** How an agent that sends nothing is locked out, and comes back. */
  readonly acceptance: AcceptanceRules
  readonly attestationRules: AttestationRules
  readonly possessionChecks: readonly Check<PossessionCase>[]
  /** Key of the token hash, stored next to the database, or in one that verifiers share. */
  readonly tokenKey: KeyObject
  readonly openSessions: OpenSessions
  readonly sessionRules: SessionRules
  readonly standInKeys: StandInKeys
}
