import { setTimeout } from 'node:timers/promises'
import type { Check } from '../evidence/check.ts'
import { type EkCheck, ekChecks } from '../evidence/ek-certificate/ek-checks.ts'
import { type BoundKeyCase, boundKeyChecks } from '../evidence/quote/bound-key.ts'
import { quoteChecks } from '../evidence/quote/quote.ts'
import type { QuoteCase } from '../evidence/quote/quote-case.ts'
import { type PathCheck, pathChecks } from '../pki/check-path.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { type Random, systemRandom } from '../platform/random.ts'
import { randomText } from '../platform/random-text.ts'
import type { AddStep } from './add/adding.ts'
import { type EndorsementCheck, endorsementChecks } from './add/endorsement.ts'
import { type IdentityCheck, identityChecks } from './add/identity.ts'
import { type BootstrapRules, bootstrapRules } from './add/payload/bootstrap-keys.ts'
import { pullSteps } from './add/pull-steps.ts'
import { pushSteps } from './add/push-steps.ts'
import { type AnswerProblem, answerProblems } from './answer-problems.ts'
import { newestCommon } from './negotiate-version.ts'

/** Everything of the tenant that a mutant may swap for another; the shipped one takes `TENANT_PARTS` as it is. */
export interface TenantParts {
  readonly clock: Clock
  readonly random: Random
  /** Waits so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>
  readonly answerProblems: readonly AnswerProblem[]
  readonly newestCommon: typeof newestCommon
  /** A nonce or challenge for an agent. */
  readonly randomText: typeof randomText
  /** What `add` does, in this order. */
  readonly pullSteps: readonly AddStep[]
  readonly pushSteps: readonly AddStep[]
  /** What is asked of an agent's identity, and of the quote and the key in it. */
  readonly identityChecks: readonly IdentityCheck[]
  readonly quoteChecks: readonly Check<QuoteCase>[]
  readonly boundKeyChecks: readonly Check<BoundKeyCase>[]
  readonly endorsementChecks: readonly EndorsementCheck[]
  readonly pathChecks: readonly PathCheck[]
  readonly ekChecks: readonly EkCheck[]
  readonly bootstrap: BootstrapRules
}

export const TENANT_PARTS: TenantParts = {
  clock: systemClock,
  random: systemRandom,
  pause: (milliseconds) => setTimeout(milliseconds),
  answerProblems,
  newestCommon,
  randomText,
  pullSteps,
  pushSteps,
  identityChecks,
  quoteChecks,
  boundKeyChecks,
  endorsementChecks,
  pathChecks,
  ekChecks,
  bootstrap: bootstrapRules,
}
