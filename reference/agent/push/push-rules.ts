import { OFFERS, type OfferOf } from './capabilities.ts'
import { COLLECTORS, type Collector } from './collect.ts'
import { STATUS_ROWS, type StatusRow } from './outcomes.ts'
import { failurePause, nextInterval } from './pauses.ts'

/** The rules of a push agent; an agent without one of them is a mutant. */
export interface PushRules {
  /** Kinds of evidence to offer. */
  readonly offers: readonly OfferOf[]
  /** Kinds of evidence to collect. */
  readonly collectors: readonly Collector[]
  /** Meanings of HTTP statuses. */
  readonly statuses: readonly StatusRow[]
  /** The wait after a failure. */
  readonly failurePause: typeof failurePause
  /** The wait after evidence was accepted. */
  readonly nextInterval: typeof nextInterval
  /** When a token is renewed. */
  readonly renewalOf: typeof renewalOf
}

export const pushRules: PushRules = {
  offers: OFFERS,
  collectors: COLLECTORS,
  statuses: STATUS_ROWS,
  failurePause,
  nextInterval,
  renewalOf,
}

/** A token is renewed when this part of its life is left, but at most this many milliseconds. */
const MARGIN = 0.2
const LONGEST_MARGIN = 30_000

/** When to renew a token, from the times of its request and of its expiry; undefined if it does not expire. */
function renewalOf(asked: number, expiresAt: number | undefined): number | undefined {
  if (expiresAt === undefined) return undefined
  return expiresAt - Math.min(LONGEST_MARGIN, Math.max(0, expiresAt - asked) * MARGIN)
}
