import { expect, test } from 'vitest'
import { requireMove, STAGE_EVENTS, STAGES, standingAfter, TRANSITIONS } from './stages.ts'

/** A second reading of the document's table; other transitions do not exist. */
const MOVES: Readonly<Record<string, string>> = {
  'undefined capabilities_accepted': 'awaiting_evidence pending',
  'awaiting_evidence evidence_accepted': 'evaluating_evidence pending',
  'evaluating_evidence verification_passed': 'verification_complete pass',
  'evaluating_evidence verification_failed': 'verification_complete fail',
}

const PAIRS = [undefined, ...STAGES].flatMap((from) =>
  STAGE_EVENTS.map((event) => ({ from, event })),
)

test.each(PAIRS)('from $from by $event', ({ from, event }) => {
  const to = standingAfter(from, event)
  expect(to && `${to.stage} ${to.evaluation}`).toBe(MOVES[`${from} ${event}`])
})

test('only complete attestations have a verdict, and they change no more', () => {
  for (const { from, to } of TRANSITIONS) {
    expect(to.stage === 'verification_complete').toBe(to.evaluation !== 'pending')
    expect(from).not.toBe('verification_complete')
  }
})

test('a move that must be there and is not is an error', () => {
  expect(requireMove('awaiting_evidence', 'evidence_accepted').stage).toBe('evaluating_evidence')
  expect(() => requireMove('verification_complete', 'evidence_accepted')).toThrow(
    'no move from verification_complete by evidence_accepted',
  )
})
