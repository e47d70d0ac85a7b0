import { expect, test } from 'vitest'
import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import { FORM_ENDS, loadForms } from './load-forms.ts'
import { choosable, loadSelection, SELECTION_MEMBERS } from './load-selection.ts'
import { ANSWERS, EVENTS, loadTransitions, STATES } from './load-transitions.ts'

const known = new Set(loadRequirements().map(({ id }) => id))
const transitions = loadTransitions()
const forms = loadForms()
const selection = loadSelection()

const unique = (ids: readonly string[]) => expect(new Set(ids).size).toBe(ids.length)

test('every transition cell has a known answer and an existing requirement', () => {
  expect(transitions.filter(({ answer }) => !ANSWERS.includes(answer))).toEqual([])
  expect(transitions.filter(({ requirement }) => !known.has(requirement))).toEqual([])
  unique(transitions.map(({ id }) => id))
})

test('every state and every event of the transitions has a cell', () => {
  expect(new Set(transitions.map(({ state }) => state.id))).toEqual(new Set(STATES))
  expect(new Set(transitions.map(({ event }) => event))).toEqual(new Set(EVENTS))
})

/** Events that cannot occur in a state, or are equivalent to another event there. */
const NOT_COVERED: Readonly<Record<(typeof STATES)[number], readonly string[]>> = {
  nothing: ['evidence to the next index', 'evidence of another type', 'read of the next index'],
  awaiting: [],
  superseded: [
    'capabilities without an offer',
    'evidence to latest',
    'evidence to the next index',
    'evidence of another type',
    'read of latest',
    'read of the next index',
  ],
  passed: ['evidence of another type'],
  failed: ['evidence of another type'],
  'judged before another': [
    'capabilities without an offer',
    'evidence to latest',
    'evidence to the next index',
    'evidence of another type',
    'read of latest',
    'read of the next index',
  ],
}

test.each(STATES)('the state %s lists every possible event', (state) => {
  const covered = transitions.filter((cell) => cell.state.id === state).map(({ event }) => event)
  expect(EVENTS.filter((event) => !covered.includes(event))).toEqual(NOT_COVERED[state])
})

test('evidence moves an attestation in only one state', () => {
  const moved = transitions.filter(({ answer }) => answer === 'taken')
  expect(new Set(moved.map(({ state }) => state.id))).toEqual(new Set(['awaiting']))
})

test.each(['capabilities', 'evidence'] as const)('the forms of %s', (table) => {
  unique(forms[table].map(({ id }) => id))
  expect(forms[table].filter(({ ends }) => !FORM_ENDS.includes(ends))).toEqual([])
  expect(forms[table].filter(({ says }) => !known.has(says))).toEqual([])
  expect(
    forms[table].filter(({ path, ends }) => path === undefined && ends !== 'accepted'),
  ).toEqual([])
})

test.each(['schemes', 'hashes'] as const)(
  '%s with and without a common name are both covered',
  (table) => {
    const counts = selection[table].map((row) => choosable(table, row).length)
    unique(selection[table].map(({ id }) => id))
    expect([Math.min(...counts), Math.max(...counts) > 1]).toEqual([0, true])
    expect(known).toContain(SELECTION_MEMBERS[table].says)
  },
)

const ROW = {
  id: 'a',
  accepted: ['ecdsa', 'rsassa'],
  offered: ['rsassa', 'ecdsa'],
  allowed: ['ecdsa', 'rsassa'],
}

test.each<[Partial<typeof ROW>, readonly string[]]>([
  [{}, ['rsassa']],
  [{ accepted: ['rsapss'] }, []],
  [{ offered: ['rsapss'] }, []],
  [{ allowed: ['rsapss'] }, []],
])('a name in every list that is possible with the key may be chosen: %o', (change, names) => {
  expect(choosable('schemes', { ...ROW, ...change })).toEqual(names)
})
