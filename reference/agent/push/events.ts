import type { PushEventKind, PushFailure } from './states.ts'

/** A token and its lifetime. */
export interface Token {
  readonly value: string
  /** By our own clock, in milliseconds since the epoch; the verifier's may be another. Undefined when it did not say. */
  readonly expiresAt: number | undefined
  /** When to renew it. */
  readonly renewAt: number | undefined
}

/** A requested item of evidence; its collector reads the parameters. */
export interface RequestedItem {
  readonly evidence_class: string
  readonly evidence_type: string
  readonly chosen_parameters: Readonly<Record<string, unknown>>
}

/** The requested evidence, where to send it, and the deadline. */
export interface Challenge {
  /** Index of the attestation, or `latest`. */
  readonly index: string
  readonly requested: readonly RequestedItem[]
  /** By our own clock; undefined when the verifier did not say. */
  readonly expiresAt: number | undefined
  /** Entries of the measurement list when it was offered. */
  readonly listed: number
}

/** An event, with the data that the next state needs. */
export type PushEvent =
  | { readonly kind: 'granted'; readonly token: Token }
  | { readonly kind: 'challenged'; readonly challenge: Challenge }
  /** `seconds` as received, unchecked. */
  | { readonly kind: 'accepted'; readonly seconds: unknown }
  | Failed
  | {
      readonly kind: Exclude<PushEventKind, 'granted' | 'challenged' | 'accepted' | Failed['kind']>
    }

/** What went wrong, in a clause for the log. */
export interface Failed {
  readonly kind: PushFailure | 'proof_failed' | 'nothing_requested' | 'late' | 'unacceptable'
  readonly why: string
  /** Milliseconds that the other side asks us to wait; undefined when it does not. */
  readonly retryAfter?: number | undefined
}
