import { OPERATIONAL_STATES, type OperationalState } from '../api/operational-states.ts'

export { OPERATIONAL_STATES, type OperationalState }

/** Which side opens the connections: `push` for the agent, `pull` for the verifier. */
export const AGENT_MODES = ['push', 'pull'] as const
export type AgentMode = (typeof AGENT_MODES)[number]

/** Events of an agent, with their descriptions for the generated document. */
export const OPERATIONAL_EVENTS = {
  added: 'an administrator adds the agent',
  stopped: 'an administrator stops it',
  reactivated: 'an administrator reactivates it',
  deleted: 'an administrator deletes it',
  ended: 'nothing of a deleted agent is under way any more',
  restarted: 'the verifier starts, and finds the agent in its database',
  poll_begun: 'the first request for a quote is about to be sent',
  quote_passed: 'the evidence verified',
  key_proven: 'the evidence verified, its node key is new, and there is a V key for the agent',
  v_taken: 'the agent answered the V key with 200',
  unanswered:
    'no answer, or 408, 500, 502, 503 or 504, and there are tries left; or a fault of the verifier',
  given_up: 'the same, and no try is left',
  version_refused: 'the agent refused the version of the API, and another one is found',
  refused: 'any other unusable answer: another status, no JSON, no version in common',
  pushed: 'it sends evidence of its own accord',
  evidence_failed: 'the evidence did not verify, with a failure of the highest severity',
  evidence_questioned: 'the evidence did not verify, with failures of lower severity only',
} as const
export type OperationalEvent = keyof typeof OPERATIONAL_EVENTS

/** Effects of a transition, with their descriptions for the generated document. */
export const OPERATIONAL_EFFECTS = {
  poll_now: 'the agent is asked at once',
  poll_later: 'it is asked again one `quote_interval` after it was asked last',
  retry_later: 'it is asked again after `retry_interval`, which grows with each try',
  provide_v: 'the V key is encrypted with the node key and sent',
  end_polling: 'it is not asked any more',
  become_push: 'it is a push agent from now on',
  forget_key: 'the node key has to come with the next quote',
  forget_failures: 'failures and passes of before count no more',
  count_pass: '`attestation_count` and `last_successful_attestation` change',
  count_failure: '`severity_level` and `last_event_id` change, and the agent counts as failed',
  report_revocation: 'a `revocation` message is sent',
  report_comm_error: 'a `comm_error` message is sent',
  report_comm_error_once_attested: 'a `comm_error` message is sent if evidence of it ever verified',
  remove: 'the record is deleted',
} as const
export type OperationalEffect = keyof typeof OPERATIONAL_EFFECTS

export interface OperationalMove {
  readonly mode: AgentMode
  readonly event: OperationalEvent
  /** Undefined where there was no agent before. */
  readonly from: OperationalState | undefined
  /** Undefined where there is no agent after. */
  readonly to: OperationalState | undefined
  readonly effects: readonly OperationalEffect[]
}

const STATES = Object.keys(OPERATIONAL_STATES) as readonly OperationalState[]

/** An agent that is ended comes back by no road but being added. */
const LIVE = STATES.filter((state) => state !== 'terminated')

/** The transitions of a push agent: it is in `get_quote`, or stopped. */
const PUSH_MOVES: readonly OperationalMove[] = [
  ...moves('push', 'added', [undefined], 'get_quote'),
  ...moves('push', 'stopped', LIVE, 'tenant_failed'),
  ...moves('push', 'reactivated', LIVE, 'get_quote', ['forget_failures']),
]

const QUOTING = ['get_quote', 'get_quote_retry'] as const
/** An agent whose last evidence failed mildly is asked on. */
const ASKED = [...QUOTING, 'invalid_quote'] as const
const PROVIDING = ['provide_v', 'provide_v_retry'] as const

/** An agent whose evidence failed, or which was stopped, waits for an administrator. */
const CAN_PUSH = LIVE.filter((state) => state !== 'invalid_quote' && state !== 'tenant_failed')

/** The moves of an agent that is asked for quotes. */
const PULL_MOVES: readonly OperationalMove[] = [
  ...moves('pull', 'added', [undefined], 'start', ['poll_now']),
  ...moves('pull', 'poll_begun', ['start'], 'get_quote'),
  ...moves('pull', 'quote_passed', ASKED, 'get_quote', ['count_pass', 'poll_later']),
  ...moves('pull', 'key_proven', ASKED, 'provide_v', ['count_pass', 'provide_v']),
  ...moves('pull', 'v_taken', PROVIDING, 'get_quote', ['poll_later']),
  ...moves('pull', 'unanswered', ASKED, 'get_quote_retry', ['retry_later']),
  ...moves('pull', 'unanswered', PROVIDING, 'provide_v_retry', ['retry_later']),
  ...moves('pull', 'version_refused', ASKED, 'get_quote_retry', ['poll_now']),
  ...moves('pull', 'version_refused', PROVIDING, 'provide_v_retry', ['poll_now']),
  ...moves('pull', 'given_up', ASKED, 'failed', [
    ...(['count_failure', 'report_comm_error_once_attested', 'end_polling'] as const),
  ]),
  ...moves('pull', 'given_up', PROVIDING, 'failed', [
    ...(['count_failure', 'report_comm_error', 'end_polling'] as const),
  ]),
  ...moves('pull', 'refused', [...ASKED, ...PROVIDING], 'failed', ['count_failure', 'end_polling']),
  ...moves('pull', 'evidence_failed', ASKED, 'invalid_quote', [
    ...(['count_failure', 'report_revocation', 'end_polling'] as const),
  ]),
  ...moves('pull', 'evidence_questioned', QUOTING, 'invalid_quote', [
    ...(['count_failure', 'report_revocation', 'poll_later'] as const),
  ]),
  ...moves('pull', 'evidence_questioned', ['invalid_quote'], 'invalid_quote', [
    ...(['count_failure', 'poll_later'] as const),
  ]),
  ...moves('pull', 'pushed', CAN_PUSH, 'get_quote', [
    ...(['become_push', 'forget_failures', 'end_polling'] as const),
  ]),
  ...moves('pull', 'stopped', LIVE, 'tenant_failed', ['end_polling']),
  ...moves('pull', 'reactivated', LIVE, 'start', ['forget_key', 'forget_failures', 'poll_now']),
  ...moves('pull', 'deleted', STATES, 'terminated', ['end_polling']),
  ...moves('pull', 'ended', ['terminated'], undefined, ['remove']),
  ...moves('pull', 'restarted', ['start', ...QUOTING], 'start', ['poll_now']),
  ...moves('pull', 'restarted', PROVIDING, 'start', ['forget_key', 'poll_now']),
  ...moves('pull', 'restarted', ['invalid_quote'], 'invalid_quote', ['poll_now']),
]

/**
 * The table (docs/operational-states.md is printed from it). A move that is not listed does not exist: what ends when an
 * agent has been stopped or deleted meanwhile changes nothing.
 */
export const OPERATIONAL_MOVES: readonly OperationalMove[] = [...PUSH_MOVES, ...PULL_MOVES]

function moves(
  mode: AgentMode,
  event: OperationalEvent,
  from: readonly (OperationalState | undefined)[],
  to: OperationalState | undefined,
  effects: readonly OperationalEffect[] = [],
): readonly OperationalMove[] {
  return from.map((state) => ({ mode, event, from: state, to, effects }))
}

/** The columns that a transition depends on; `operational_state` is missing if there is no agent yet. */
interface Moved {
  readonly mode: string
  readonly operational_state?: number
}

/** The move of an agent at `event`, or undefined where the table has none. */
export function operationalMove(
  table: readonly OperationalMove[],
  event: OperationalEvent,
  { mode, operational_state }: Moved,
): OperationalMove | undefined {
  return table.find(
    (row) => row.mode === mode && row.event === event && numberOf(row.from) === operational_state,
  )
}

/** States in which the verification of an agent has failed, even if its last evidence passed. */
const FAILED: readonly OperationalState[] = ['failed', 'invalid_quote', 'tenant_failed']

/** Whether the state alone means that verification has failed. */
export function isFailedState(state: number): boolean {
  return FAILED.some((name) => OPERATIONAL_STATES[name] === state)
}

export function numberOf(state: OperationalState): number
export function numberOf(state: OperationalState | undefined): number | undefined
export function numberOf(state: OperationalState | undefined): number | undefined {
  return state === undefined ? undefined : OPERATIONAL_STATES[state]
}
