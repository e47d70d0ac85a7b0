/**
 * Attestation stages as a transition table (interface document, "Attestation stage").
 * A move that is not listed does not exist.
 */
export const STAGES = ['awaiting_evidence', 'evaluating_evidence', 'verification_complete'] as const
export type Stage = (typeof STAGES)[number]
export type StageEvent = 'capabilities_accepted' | 'evidence_accepted' | 'verification_finished'

export interface Transition {
  readonly from: Stage | undefined
  readonly event: StageEvent
  readonly to: Stage
  /** What else happens, in the document's words for the fields. */
  readonly sets: readonly string[]
}

export const TRANSITIONS: readonly Transition[] = [
  {
    from: undefined,
    event: 'capabilities_accepted',
    to: 'awaiting_evidence',
    sets: ['index', 'challenge', 'capabilities_received_at', 'challenges_expire_at'],
  },
  {
    from: 'awaiting_evidence',
    event: 'evidence_accepted',
    to: 'evaluating_evidence',
    sets: ['evidence', 'evidence_received_at'],
  },
  {
    from: 'evaluating_evidence',
    event: 'verification_finished',
    to: 'verification_complete',
    sets: ['evaluation', 'failure_reason', 'verification_completed_at'],
  },
]

/** The stage after `event`, or undefined where the table has no such move. */
export function nextStage(from: Stage | undefined, event: StageEvent): Stage | undefined {
  return TRANSITIONS.find((row) => row.from === from && row.event === event)?.to
}

/** The same where the caller knows that there is such a move. */
export function requireStage(from: Stage | undefined, event: StageEvent): Stage {
  const to = nextStage(from, event)
  if (to === undefined) throw new Error(`stages: no move from ${from} by ${event}`)
  return to
}
