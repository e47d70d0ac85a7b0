import type { Reply } from '../../../conformance/attempt/reply.ts'
import { attributes, type Context } from '../../../conformance/scenario.ts'

const REASONS = {
  'ATT-REASON-BROKEN': 'broken_evidence_chain',
  'ATT-REASON-POLICY': 'policy_violation',
} as const
/** The requirement that the verifier gives this reason. */
export type Reason = keyof typeof REASONS

/** Checks that evidence failed, and its `failure_reason`: evidence that passed has none. */
export function checkFailed(
  check: Context['check'],
  seen: Reply,
  [requirement, reason]: readonly [requirement: string, reason: Reason],
): void {
  const failed = check(requirement, 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
  if (failed)
    check(reason, 'failure_reason').of(attributes(seen, 'failure_reason')).is(REASONS[reason])
}
