import {
  PUSH_FAILURES,
  PUSH_STATES,
  type PushEffect,
  type PushEventKind,
  type PushFailure,
  type PushState,
} from './states.ts'

export interface PushMove {
  readonly from: PushState
  readonly on: PushEventKind
  readonly to: PushState
  readonly does: readonly PushEffect[]
}

const FAILURES = Object.keys(PUSH_FAILURES) as readonly PushFailure[]
/** Refusals that may be for the token's sake. */
const REFUSALS = ['unauthorized', 'forbidden'] as const
const OTHERS = FAILURES.filter((kind) => !REFUSALS.some((refusal) => refusal === kind))
const LIVE = (Object.keys(PUSH_STATES) as readonly PushState[]).filter(
  (state) => state !== 'Stopped',
)

/**
 * The push agent (interface document, "Push agent client state machine"; docs/push-agent.md is printed from it). What is
 * not listed cannot happen.
 */
export const PUSH_MOVES: readonly PushMove[] = [
  move('Unregistered', 'registered', 'Registered', 'forget_failures'),
  ...moves('Unregistered', FAILURES, 'RegistrationFailed', 'back_off'),
  move('RegistrationFailed', 'waited', 'Unregistered'),
  move('Registered', 'began', 'Authenticating'),
  move('Authenticating', 'granted', 'Negotiating', 'keep_token'),
  ...moves(
    'Authenticating',
    ['proof_failed', 'late', 'unacceptable', ...FAILURES],
    'AttestationFailed',
    'back_off',
  ),
  move('Negotiating', 'challenged', 'Attesting', 'keep_challenge'),
  ...moves('Negotiating', REFUSALS, 'AttestationFailed', 'drop_token', 'back_off'),
  ...moves('Negotiating', ['nothing_requested', ...OTHERS], 'AttestationFailed', 'back_off'),
  move('Attesting', 'accepted', 'Attested', 'drop_challenge', 'forget_failures', 'rest'),
  ...moves('Attesting', REFUSALS, 'AttestationFailed', 'drop_token', 'drop_challenge', 'back_off'),
  ...moves(
    'Attesting',
    ['late', 'unacceptable', ...OTHERS],
    'AttestationFailed',
    'drop_challenge',
    'back_off',
  ),
  move('Attested', 'waited', 'Negotiating'),
  move('Attested', 'token_due', 'Authenticating', 'drop_token'),
  move('AttestationFailed', 'waited', 'Negotiating'),
  move('AttestationFailed', 'token_due', 'Authenticating', 'drop_token'),
  ...LIVE.map((state) => move(state, 'stopped', 'Stopped', 'drop_token', 'drop_challenge')),
]

function move(
  from: PushState,
  on: PushEventKind,
  to: PushState,
  ...does: readonly PushEffect[]
): PushMove {
  return { from, on, to, does }
}

function moves(
  from: PushState,
  events: readonly PushEventKind[],
  to: PushState,
  ...does: readonly PushEffect[]
): readonly PushMove[] {
  return events.map((on) => ({ from, on, to, does }))
}

/** The row for what happened in a state; a table without one is a defect. */
export function pushMoveFor(
  table: readonly PushMove[],
  from: PushState,
  on: PushEventKind,
): PushMove {
  const found = table.find((row) => row.from === from && row.on === on)
  if (found === undefined)
    throw new TypeError(`the table of the push agent has no row for ${on} in ${from}`)
  return found
}
