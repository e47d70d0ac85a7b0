/**
 * Attestation stages and evaluations as a transition table (interface document, "Attestation stage" and
 * "Evaluation"). A move that is not listed does not exist.
 */
export const STAGES = ['awaiting_evidence', 'evaluating_evidence', 'verification_complete'] as const
export type Stage = (typeof STAGES)[number]

export const STAGE_EVENTS = [
  'capabilities_accepted',
  'evidence_accepted',
  'verification_passed',
  'verification_failed',
] as const
type StageEvent = (typeof STAGE_EVENTS)[number]

/** The columns of an attestation after a transition. */
interface Standing {
  readonly stage: Stage
  readonly evaluation: 'pending' | 'pass' | 'fail'
}

interface Transition {
  /** Undefined where there was no attestation. */
  readonly from: Stage | undefined
  readonly event: StageEvent
  readonly to: Standing
  /** What else happens, in the document's words for the fields. */
  readonly sets: readonly string[]
}

export const TRANSITIONS: readonly Transition[] = [
  {
    from: undefined,
    event: 'capabilities_accepted',
    to: { stage: 'awaiting_evidence', evaluation: 'pending' },
    sets: ['index', 'challenge', 'capabilities_received_at', 'challenges_expire_at'],
  },
  {
    from: 'awaiting_evidence',
    event: 'evidence_accepted',
    to: { stage: 'evaluating_evidence', evaluation: 'pending' },
    sets: ['evidence', 'evidence_received_at'],
  },
  {
    from: 'evaluating_evidence',
    event: 'verification_passed',
    to: { stage: 'verification_complete', evaluation: 'pass' },
    sets: ['verification_completed_at'],
  },
  {
    from: 'evaluating_evidence',
    event: 'verification_failed',
    to: { stage: 'verification_complete', evaluation: 'fail' },
    sets: ['failure_reason', 'verification_completed_at'],
  },
]

/** The columns of an attestation after `event`; undefined if the table has no such transition. */
export function standingAfter(from: Stage | undefined, event: StageEvent): Standing | undefined {
  return TRANSITIONS.find((row) => row.from === from && row.event === event)?.to
}

/** The same for a transition that must exist. */
export function requireMove(from: Stage | undefined, event: StageEvent): Standing {
  const to = standingAfter(from, event)
  if (to === undefined) throw new Error(`stages: no move from ${from} by ${event}`)
  return to
}
