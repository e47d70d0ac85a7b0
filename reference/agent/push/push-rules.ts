import { OFFERS, type OfferOf } from './capabilities.ts'
import { COLLECTORS, type Collector } from './collect.ts'
import { STATUS_ROWS, type StatusRow } from './outcomes.ts'
import { failurePause, nextInterval } from './pauses.ts'
import { renewalOf } from './verifier/token-renewal.ts'

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
