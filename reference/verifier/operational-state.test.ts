import { expect, test } from 'vitest'
import {
  isFailedState,
  nextOperationalState,
  OPERATIONAL_MOVES,
  OPERATIONAL_STATES,
} from './operational-state.ts'

const NUMBERS = Object.values(OPERATIONAL_STATES)
const next = (event: 'stopped' | 'reactivated', from: number) =>
  nextOperationalState(OPERATIONAL_MOVES, event, from)

test('an agent is added once', () => {
  expect(nextOperationalState(OPERATIONAL_MOVES, 'added')).toBe(3)
  expect(NUMBERS.map((from) => nextOperationalState(OPERATIONAL_MOVES, 'added', from))).toEqual(
    NUMBERS.map(() => undefined),
  )
})

test.each(NUMBERS.filter((number) => number !== OPERATIONAL_STATES.terminated))(
  'an agent in state %i is stopped and started, twice with the same end',
  (from) => {
    expect([next('stopped', from), next('stopped', 10)]).toEqual([10, 10])
    expect([next('reactivated', from), next('reactivated', 3)]).toEqual([3, 3])
  },
)

test('an agent that is ended, and a number that is no state, move nowhere', () => {
  const moves = [8, 11, -1].flatMap((from) => [next('stopped', from), next('reactivated', from)])
  expect(moves).toEqual(moves.map(() => undefined))
})

test('no event has two ends from one state', () => {
  const keys = OPERATIONAL_MOVES.map(({ event, from }) => `${event} from ${from}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the states that say failed are those of a failure or a stop', () => {
  expect(NUMBERS.filter(isFailedState)).toEqual([7, 9, 10])
})
