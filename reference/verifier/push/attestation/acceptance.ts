import { ApiError } from '../../../errors.ts'
import type { AgentRow } from '../../../storage/databases/database.ts'

/** Whether attestations of an agent are accepted: `accept_attestations` of the interface document, true or False. */
export type Acceptance = 'accepting' | 'silent'

/** Effects on the time after which an agent counts as silent. */
type Timeout = 'none' | 'starts' | 'runs' | 'over'

export type AcceptanceEvent =
  | 'added'
  | 'capabilities_received'
  | 'evidence_received'
  | 'timed_out'
  | 'reactivated'
  | 'registered'

export interface AcceptanceMove {
  readonly event: AcceptanceEvent
  /** Undefined where there was no agent before. */
  readonly from: Acceptance | undefined
  readonly to: Acceptance
  readonly timeout: Timeout
}

/**
 * The acceptance flag as a transition table (interface document, "Push-mode acceptance flag"). Evidence starts the
 * time, with any verdict, and capabilities alone do not (ambiguity TIMERSTART): an agent that never attested is
 * waited for. A move that is not listed does not exist: the only way back that a silent agent has of its own is another
 * registration, which proves its TPM (ambiguity REREG).
 */
export const ACCEPTANCE_MOVES: readonly AcceptanceMove[] = [
  { event: 'added', from: undefined, to: 'accepting', timeout: 'none' },
  { event: 'capabilities_received', from: 'accepting', to: 'accepting', timeout: 'runs' },
  { event: 'evidence_received', from: 'accepting', to: 'accepting', timeout: 'starts' },
  { event: 'timed_out', from: 'accepting', to: 'silent', timeout: 'over' },
  { event: 'reactivated', from: 'accepting', to: 'accepting', timeout: 'none' },
  { event: 'reactivated', from: 'silent', to: 'accepting', timeout: 'none' },
  { event: 'registered', from: 'silent', to: 'accepting', timeout: 'none' },
]

/** Without evidence for this many quote intervals an agent is silent. */
export const SILENT_INTERVALS = 5

export interface AcceptanceRules {
  readonly moves: readonly AcceptanceMove[]
  /** Milliseconds without evidence after which an agent is silent; the quote interval is in seconds. */
  silence(quoteInterval: number): number
  refusal(agentId: string): ApiError
}

export const acceptanceRules: AcceptanceRules = {
  moves: ACCEPTANCE_MOVES,
  silence: (quoteInterval) => quoteInterval * SILENT_INTERVALS * 1000,
  refusal: (agentId) =>
    new ApiError(
      'agent_attestations_disabled',
      `No attestations are taken of agent '${agentId}', as no evidence of it came in time: it has to register again, or an administrator to reactivate it.`,
    ),
}

type Timed = Pick<AgentRow, 'timeout_at'>

/**
 * Whether an agent is silent by `now` of the listening time. That is asked of the moment that its last evidence set, and
 * kept nowhere else: no timer runs for an agent, none is lost in a restart, and all verifiers of a database agree. Time
 * in which no verifier could hear an agent is not silence.
 */
export function acceptanceOf({ timeout_at }: Timed, now: number): Acceptance {
  return timeout_at !== null && timeout_at <= now ? 'silent' : 'accepting'
}

/** The `timeout_at` of an agent after `event`; undefined where the table has no such move. */
export function timeoutAfter(
  { moves, silence }: AcceptanceRules,
  event: AcceptanceEvent,
  agent: Timed | undefined,
  { now, quoteInterval }: { readonly now: number; readonly quoteInterval: number },
): number | null | undefined {
  const from = agent && acceptanceOf(agent, now)
  const move = moves.find((row) => row.event === event && row.from === from)
  if (move === undefined) return undefined
  if (move.timeout === 'starts') return now + silence(quoteInterval)
  return move.timeout === 'none' ? null : (agent?.timeout_at ?? null)
}
