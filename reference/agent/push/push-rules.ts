import { OFFERS, type OfferOf } from './capabilities.ts'
import { COLLECTORS, type Collector } from './collect.ts'
import { STATUS_ROWS, type StatusRow } from './outcomes.ts'
import { failurePause, nextInterval } from './pauses.ts'
import { renewalOf } from './verifier/token-renewal.ts'

/** What a push agent goes by in what it does; an agent without one of these is a mutant. */
export interface PushRules {
  /** What is offered. */
  readonly offers: readonly OfferOf[]
  /** What can be collected. */
  readonly collectors: readonly Collector[]
  /** What a status means. */
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
