import { setTimeout } from 'node:timers/promises'
import { ekChecks } from '../evidence/ek-certificate/ek-checks.ts'
import { boundKeyChecks } from '../evidence/quote/bound-key.ts'
import { quoteChecks } from '../evidence/quote/quote.ts'
import { pathChecks } from '../pki/check-path.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/random.ts'
import { randomText } from '../platform/random-text.ts'
import type { AddStep } from './add/adding.ts'
import { endorsementChecks } from './add/endorsement.ts'
import { identityChecks } from './add/identity.ts'
import { bootstrapRules } from './add/payload/bootstrap-keys.ts'
import { pullSteps } from './add/pull-steps.ts'
import { pushSteps } from './add/push-steps.ts'
import { answerProblems } from './peers/answer-problems.ts'
import { newestCommon } from './peers/negotiate-version.ts'
import type { TenantRules } from './session.ts'

/** The parts of the tenant that a mutant may replace; the shipped program uses `TENANT_PARTS`. */
export interface TenantParts extends TenantRules {
  /** The steps of `add`, in this order. */
  readonly pullSteps: readonly AddStep[]
  readonly pushSteps: readonly AddStep[]
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
