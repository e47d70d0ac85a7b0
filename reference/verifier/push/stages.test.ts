import { expect, test } from 'vitest'
import { nextStage, requireStage, STAGES, type StageEvent } from './stages.ts'

const EVENTS: readonly StageEvent[] = [
  'capabilities_accepted',
  'evidence_accepted',
  'verification_finished',
]

/** A second reading of the document's table; what is not here does not exist. */
const MOVES: Readonly<Record<string, string>> = {
  'undefined capabilities_accepted': 'awaiting_evidence',
  'awaiting_evidence evidence_accepted': 'evaluating_evidence',
  'evaluating_evidence verification_finished': 'verification_complete',
}

const PAIRS = [undefined, ...STAGES].flatMap((from) => EVENTS.map((event) => ({ from, event })))

test.each(PAIRS)('from $from by $event', ({ from, event }) => {
  expect(nextStage(from, event)).toBe(MOVES[`${from} ${event}`])
})

test('a move that must be there and is not is an error', () => {
  expect(requireStage('awaiting_evidence', 'evidence_accepted')).toBe('evaluating_evidence')
  expect(() => requireStage('verification_complete', 'evidence_accepted')).toThrow(
    'no move from verification_complete by evidence_accepted',
  )
})
