import { expect, test } from 'vitest'
import {
  isFailedState,
  numberOf,
  OPERATIONAL_MOVES,
  OPERATIONAL_STATES,
  operationalMove,
} from './operational-state.ts'

const NUMBERS = Object.values(OPERATIONAL_STATES)
const MODES = ['push', 'pull'] as const
type Mode = (typeof MODES)[number]
const STARTED: Readonly<Record<Mode, number>> = { push: 3, pull: 1 }

function next(mode: Mode, event: 'added' | 'stopped' | 'reactivated', from?: number) {
  const at = from === undefined ? { mode } : { mode, operational_state: from }
  return numberOf(operationalMove(OPERATIONAL_MOVES, event, at)?.to)
}

test.each(MODES)('an agent (%s) is added once', (mode) => {
  expect(next(mode, 'added')).toBe(STARTED[mode])
  expect(NUMBERS.map((from) => next(mode, 'added', from))).toEqual(NUMBERS.map(() => undefined))
})

const LIVE = NUMBERS.filter((number) => number !== OPERATIONAL_STATES.terminated)

test.each(LIVE)('an agent in state %i is stopped and started, twice with the same end', (from) => {
  for (const mode of MODES) {
    const started = STARTED[mode]
    expect([next(mode, 'stopped', from), next(mode, 'stopped', 10)]).toEqual([10, 10])
    expect(next(mode, 'reactivated', from)).toBe(started)
    expect(next(mode, 'reactivated', started)).toBe(started)
  }
})

test('an agent that is ended, and a number that is no state, move nowhere', () => {
  for (const mode of MODES)
    for (const from of [8, 11, -1])
      expect([next(mode, 'stopped', from), next(mode, 'reactivated', from)]).toEqual([
        ...[undefined, undefined],
      ])
})

test('no event has two ends from one state', () => {
  const keys = OPERATIONAL_MOVES.map((move) => `${move.mode}: ${move.event} from ${move.from}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the states that say failed are those of a failure or a stop', () => {
  expect(NUMBERS.filter(isFailedState)).toEqual([7, 9, 10])
})

const ASKED_AGAIN: readonly unknown[] = ['poll_now', 'poll_later', 'retry_later', 'provide_v']
const ASKED: readonly unknown[] = [1, 3, 4, 5, 6]
const pull = OPERATIONAL_MOVES.filter(
  ({ mode, event }) => mode === 'pull' && event !== 'poll_begun',
)

test('no move leaves an agent in a state in which it is asked without asking it again', () => {
  const into = pull.filter(
    ({ to, effects }) => ASKED.includes(numberOf(to)) && !effects.includes('become_push'),
  )
  expect(into.length).toBeGreaterThan(20)
  for (const move of into)
    expect(
      move.effects.filter((effect) => ASKED_AGAIN.includes(effect)),
      move.event,
    ).toHaveLength(1)
})

test('every transition to a state without polling has the effect that stops polling', () => {
  const out = pull.filter(
    ({ to, effects }) => [7, 8, 10].includes(numberOf(to) ?? -1) || effects.includes('become_push'),
  )
  expect(out.length).toBeGreaterThan(20)
  for (const { effects } of out) expect(effects).toContain('end_polling')
})
