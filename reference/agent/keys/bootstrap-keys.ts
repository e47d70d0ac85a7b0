import { equalBytes } from '../../bytes/equal.ts'
import { toHex } from '../../bytes/hex.ts'
import { type KeyEffect, type KeyEvent, type KeyState, moveFor } from './key-moves.ts'
import type { KeyRules } from './key-rules.ts'

/** U as it came: decrypted, with the tag that it was sent with, and an encrypted payload. */
export interface UHalf {
  readonly u: Uint8Array
  readonly tag: Uint8Array
  readonly payload: Uint8Array | undefined
}

/** The result of a half. */
interface Taken {
  readonly event: KeyEvent
  readonly does: readonly KeyEffect[]
  /** K and the contents of the payload, when this half made them. */
  readonly delivery?: Delivery
}

export interface Delivery {
  readonly key: Uint8Array
  readonly payload: Uint8Array | undefined
}

/** The bootstrap keys of one agent, in memory alone: after a restart they are sent again. */
export interface BootstrapKeys {
  takeV(v: Uint8Array): Taken
  takeU(half: UHalf): Taken
  /** K; undefined until both halves have come. */
  key(): Uint8Array | undefined
}

interface Keyed extends Delivery {
  readonly v: Uint8Array
  readonly tag: Uint8Array
}

export function bootstrapKeys(rules: KeyRules, agentId: string): BootstrapKeys {
  let state: KeyState = 'empty'
  let v: Uint8Array | undefined
  let half: UHalf | undefined
  let keyed: Keyed | undefined
  const usedTags = new Set<string>()

  const eventOfV = (given: Uint8Array): KeyEvent => {
    if (keyed !== undefined && equalBytes(keyed.v, given)) return 'v-again'
    if (half === undefined) return 'v'
    return met(rules, agentId, given, half) === 'fits' ? 'v-fits' : 'v-misfits'
  }
  const eventOfU = (given: UHalf): KeyEvent => {
    if (keyed !== undefined && equalBytes(keyed.tag, given.tag)) return 'u-again'
    if (usedTags.has(toHex(given.tag))) return 'u-used'
    if (v === undefined) return 'u'
    return `u-${met(rules, agentId, v, given)}`
  }
  const effects: Readonly<Record<KeyEffect, (came: Came) => void>> = {
    'keep-v': (came) => {
      v = came.v
    },
    'keep-u': (came) => {
      half = came.half
    },
    'refuse-u': () => undefined,
    'take-key': (came) => {
      const [one, other] = [came.v ?? v, came.half ?? half]
      if (one !== undefined && other !== undefined) keyed = keyOf(rules, one, other)
      if (keyed !== undefined) usedTags.add(toHex(keyed.tag))
      v = undefined
      half = undefined
    },
  }
  const move = (event: KeyEvent, came: Came): Taken => {
    const { to, does } = moveFor(rules.moves, state, event)
    for (const effect of does) effects[effect](came)
    state = to
    return does.includes('take-key') && keyed !== undefined
      ? { event, does, delivery: keyed }
      : { event, does }
  }
  return {
    takeV: (given) => move(eventOfV(given), { v: given }),
    takeU: (given) => move(eventOfU(given), { half: given }),
    key: () => keyed?.key,
  }
}

interface Came {
  readonly v?: Uint8Array
  readonly half?: UHalf
}

/** Whether two halves make the K that the sender of U meant, and that its payload is under. */
function met(
  rules: KeyRules,
  agentId: string,
  v: Uint8Array,
  half: UHalf,
): 'fits' | 'misfits' | 'unopened' {
  if (!rules.isSameTag(rules.tagOf(rules.combine(half.u, v), agentId), half.tag)) return 'misfits'
  try {
    keyOf(rules, v, half)
    return 'fits'
  } catch {
    return 'unopened'
  }
}

/** @throws the error of node:crypto for a payload that K does not decrypt */
function keyOf(rules: KeyRules, v: Uint8Array, { u, tag, payload }: UHalf): Keyed {
  const key = rules.combine(u, v)
  return { key, v, tag, payload: payload && rules.openPayload(key, payload) }
}
