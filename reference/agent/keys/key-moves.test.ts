import { expect, test } from 'vitest'
import { KEY_MOVES, type KeyEvent, type KeyState, moveFor } from './key-moves.ts'

const STATES: readonly KeyState[] = [
  'empty',
  'has-v',
  'has-u',
  'apart',
  'keyed',
  'keyed-has-v',
  'keyed-has-u',
  'keyed-apart',
]

/** The possible events of a state: a half meets the other one only if that waits, and belongs to a key only if there is one. */
function eventsIn(state: KeyState): readonly KeyEvent[] {
  const [hasV, hasU] = [/has-v$|apart$/.test(state), /has-u$|apart$/.test(state)]
  const ofV: KeyEvent[] = hasU ? ['v-fits', 'v-misfits'] : ['v']
  const ofU: KeyEvent[] = hasV ? ['u-fits', 'u-misfits', 'u-unopened'] : ['u']
  const ofKey: KeyEvent[] = state.startsWith('keyed') ? ['v-again', 'u-again', 'u-used'] : []
  return [...ofV, ...ofU, ...ofKey]
}

test('the table has a row for everything that can come in each state, and no other', () => {
  const rows = KEY_MOVES.map(({ from, on }) => `${from} ${on}`)
  const wanted = STATES.flatMap((state) => eventsIn(state).map((event) => `${state} ${event}`))
  expect(rows.toSorted()).toEqual(wanted.toSorted())
})

test('a key is taken only by a half that fits', () => {
  const takers = KEY_MOVES.filter(({ does }) => does.includes('take-key'))
  expect(takers.every(({ on, to }) => on.endsWith('-fits') && to === 'keyed')).toBe(true)
})

test('no move leads from a key to none', () => {
  const losing = KEY_MOVES.filter(
    ({ from, to }) => from.startsWith('keyed') && !to.startsWith('keyed'),
  )
  expect(losing).toEqual([])
})

test('a table without a row is a defect and says which', () => {
  expect(() => moveFor([], 'empty', 'v')).toThrow('no row for v in empty')
})
