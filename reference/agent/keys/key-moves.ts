/**
 * Which halves wait for another one, without a key yet or with one that may be replaced. `apart` are two that do not
 * fit each other; it is unknown which of them is current.
 */
export type KeyState =
  | 'empty'
  | 'has-v'
  | 'has-u'
  | 'apart'
  | 'keyed'
  | 'keyed-has-v'
  | 'keyed-has-u'
  | 'keyed-apart'

/**
 * The event. A half that meets the other one fits when the tag of U is that of their K, and the payload opens with
 * K; `unopened` is a U whose tag alone fits. `again` is a half of the key that is there, `used` the U of one that was
 * replaced.
 */
export type KeyEvent =
  | 'v'
  | 'v-fits'
  | 'v-misfits'
  | 'v-again'
  | 'u'
  | 'u-fits'
  | 'u-misfits'
  | 'u-unopened'
  | 'u-again'
  | 'u-used'

export type KeyEffect = 'keep-v' | 'keep-u' | 'take-key' | 'refuse-u'

export interface KeyMove {
  readonly from: KeyState
  readonly on: KeyEvent
  readonly to: KeyState
  readonly does: readonly KeyEffect[]
}

/**
 * The exchange of the bootstrap keys (interface document, "What the service does"): V and U come in either order, and
 * again. A half that does not fit the one that waits may be the first of another pair, as when a verifier sent V to an
 * agent that had lost its U, and the agent is added anew: it is kept with it until its own comes.
 */
export const KEY_MOVES: readonly KeyMove[] = [
  { from: 'empty', on: 'v', to: 'has-v', does: ['keep-v'] },
  { from: 'empty', on: 'u', to: 'has-u', does: ['keep-u'] },
  { from: 'has-v', on: 'v', to: 'has-v', does: ['keep-v'] },
  { from: 'has-v', on: 'u-fits', to: 'keyed', does: ['take-key'] },
  { from: 'has-v', on: 'u-misfits', to: 'apart', does: ['keep-u'] },
  { from: 'has-v', on: 'u-unopened', to: 'has-v', does: ['refuse-u'] },
  { from: 'has-u', on: 'u', to: 'has-u', does: ['keep-u'] },
  { from: 'has-u', on: 'v-fits', to: 'keyed', does: ['take-key'] },
  { from: 'has-u', on: 'v-misfits', to: 'apart', does: ['keep-v'] },
  { from: 'apart', on: 'v-fits', to: 'keyed', does: ['take-key'] },
  { from: 'apart', on: 'v-misfits', to: 'apart', does: ['keep-v'] },
  { from: 'apart', on: 'u-fits', to: 'keyed', does: ['take-key'] },
  { from: 'apart', on: 'u-misfits', to: 'apart', does: ['keep-u'] },
  { from: 'apart', on: 'u-unopened', to: 'apart', does: ['refuse-u'] },
  { from: 'keyed', on: 'v', to: 'keyed-has-v', does: ['keep-v'] },
  { from: 'keyed', on: 'u', to: 'keyed-has-u', does: ['keep-u'] },
  { from: 'keyed', on: 'v-again', to: 'keyed', does: [] },
  { from: 'keyed', on: 'u-again', to: 'keyed', does: [] },
  { from: 'keyed', on: 'u-used', to: 'keyed', does: ['refuse-u'] },
  { from: 'keyed-has-v', on: 'v', to: 'keyed-has-v', does: ['keep-v'] },
  { from: 'keyed-has-v', on: 'v-again', to: 'keyed-has-v', does: [] },
  { from: 'keyed-has-v', on: 'u-fits', to: 'keyed', does: ['take-key'] },
  { from: 'keyed-has-v', on: 'u-misfits', to: 'keyed-apart', does: ['keep-u'] },
  { from: 'keyed-has-v', on: 'u-unopened', to: 'keyed-has-v', does: ['refuse-u'] },
  { from: 'keyed-has-v', on: 'u-again', to: 'keyed-has-v', does: [] },
  { from: 'keyed-has-v', on: 'u-used', to: 'keyed-has-v', does: ['refuse-u'] },
  { from: 'keyed-has-u', on: 'u', to: 'keyed-has-u', does: ['keep-u'] },
  { from: 'keyed-has-u', on: 'u-again', to: 'keyed-has-u', does: [] },
  { from: 'keyed-has-u', on: 'u-used', to: 'keyed-has-u', does: ['refuse-u'] },
  { from: 'keyed-has-u', on: 'v-again', to: 'keyed-has-u', does: [] },
  { from: 'keyed-has-u', on: 'v-fits', to: 'keyed', does: ['take-key'] },
  { from: 'keyed-has-u', on: 'v-misfits', to: 'keyed-apart', does: ['keep-v'] },
  { from: 'keyed-apart', on: 'v-fits', to: 'keyed', does: ['take-key'] },
  { from: 'keyed-apart', on: 'v-misfits', to: 'keyed-apart', does: ['keep-v'] },
  { from: 'keyed-apart', on: 'v-again', to: 'keyed-apart', does: [] },
  { from: 'keyed-apart', on: 'u-fits', to: 'keyed', does: ['take-key'] },
  { from: 'keyed-apart', on: 'u-misfits', to: 'keyed-apart', does: ['keep-u'] },
  { from: 'keyed-apart', on: 'u-unopened', to: 'keyed-apart', does: ['refuse-u'] },
  { from: 'keyed-apart', on: 'u-again', to: 'keyed-apart', does: [] },
  { from: 'keyed-apart', on: 'u-used', to: 'keyed-apart', does: ['refuse-u'] },
]

/** The row for an event in a state; a table without one is a defect. */
export function moveFor(moves: readonly KeyMove[], from: KeyState, on: KeyEvent): KeyMove {
  const move = moves.find((row) => row.from === from && row.on === on)
  if (move === undefined)
    throw new TypeError(`the table of key moves has no row for ${on} in ${from}`)
  return move
}
