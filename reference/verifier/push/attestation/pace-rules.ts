import type { VerifierConfig } from '../../../config/config.ts'
import { ApiError, type ErrorCode } from '../../../errors.ts'
import type { Progress } from '../../../storage/attestation-store.ts'

type Pace = Pick<VerifierConfig, 'quote_interval' | 'verification_timeout' | 'early_capabilities'>

/** A reason to refuse an agent that comes too early; codes are upstream's. */
export interface PaceRule {
  readonly id: string
  readonly why: string
  readonly code: ErrorCode
  readonly detail: string
  /** Seconds from the last evidence until the next capabilities; 0 where the rule does not apply. */
  seconds(latest: Progress, pace: Pace): number
}

export const paceRules: readonly PaceRule[] = [
  {
    id: 'pace.in-progress',
    why: 'the running evaluation decides which evidence the next attestation requests',
    code: 'verification_in_progress',
    detail: 'The evidence of the last attestation is still being verified.',
    seconds: ({ stage }, { verification_timeout }) =>
      stage === 'evaluating_evidence' ? verification_timeout : 0,
  },
  {
    id: 'pace.premature',
    why: 'an agent that attests all the time leaves no time for the others',
    code: 'premature_attestation',
    detail: 'The last attestation was too short a time ago.',
    seconds: (_latest, { quote_interval, early_capabilities }) =>
      early_capabilities === 'refuse' ? quote_interval : 0,
  },
]

/** Refuses capabilities that come too early, with the time to wait; an attestation without evidence does not delay the next. */
export function checkPace(
  rules: readonly PaceRule[],
  latest: Progress | undefined,
  { pace, now }: { readonly pace: Pace; readonly now: number },
): void {
  if (latest === undefined || latest.evidence_received_at === null) return
  for (const rule of rules) {
    const wait = rule.seconds(latest, pace) * 1000
    const left = latest.evidence_received_at + wait - now
    // More than the whole wait is left when the clock was set back since: how much, is not known.
    if (left <= 0 || left > wait) continue
    throw new ApiError(rule.code, rule.detail, { retryAfter: Math.ceil(left / 1000) })
  }
}
