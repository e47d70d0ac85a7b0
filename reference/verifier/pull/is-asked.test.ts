import { expect, test } from 'vitest'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { isAsked, isOurs } from './is-asked.ts'

const POSTGRES = { database: 'postgres://a@127.0.0.1/b', verifier_id: 'one' }
const FILE = { database: 'verifier.sqlite', verifier_id: 'one' }
const LABELS = { severity_labels: ['info', 'notice', 'top'] }

const pull = (verifier_id: string) => agentRow({ mode: 'pull', verifier_id })

test('of verifiers on one database each asks the agents that were added at it', () => {
  expect([isOurs(pull('one'), POSTGRES), isOurs(pull('two'), POSTGRES)]).toEqual([true, false])
})

test('a verifier with its own database file polls all agents, even after it was renamed', () => {
  expect(isOurs(pull('two'), FILE)).toBe(true)
})

test('a push agent is not polled', () => {
  expect(isOurs(agentRow({ verifier_id: 'one' }), POSTGRES)).toBe(false)
})

test.each([
  [0, false],
  [1, true],
  [3, true],
  [4, true],
  [5, true],
  [6, true],
  [7, false],
  [8, false],
  [10, false],
])('an agent in state %i is asked: %o', (operational_state, is) => {
  expect(isAsked(agentRow({ operational_state, severity_level: 0 }), LABELS)).toBe(is)
})

test.each([
  [0, true],
  [1, true],
  [2, false],
  [null, false],
])('one whose quote was invalid, with a severity of %o: %o', (severity_level, is) => {
  expect(isAsked(agentRow({ operational_state: 9, severity_level }), LABELS)).toBe(is)
})
