import type { Random } from '../../../platform/random.ts'
import { type QuoteRule, quoteRules } from '../selection/quote-rules.ts'
import { type SubmissionRefusal, submissionRefusals } from '../submission-refusals.ts'
import { type PaceRule, paceRules } from './pace-rules.ts'

/** The rules of attestations; a verifier without one of them is a mutant. */
export interface AttestationRules {
  makeChallenge(random: Random): Uint8Array
  /** By which an offered quote is usable. */
  readonly quoteRules: readonly QuoteRule[]
  /** Capabilities are accepted if none of these requires the agent to wait. */
  readonly paceRules: readonly PaceRule[]
  /** Evidence is read when none of these refuses it. */
  readonly submissionRefusals: readonly SubmissionRefusal[]
}

/** Not guessed, and not met twice. */
const CHALLENGE_BYTES = 16

export const attestationRules: AttestationRules = {
  makeChallenge: (random) => random.bytes(CHALLENGE_BYTES),
  quoteRules,
  paceRules,
  submissionRefusals,
}
