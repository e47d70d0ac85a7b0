import type { EvidenceCase } from '../../evidence/evaluate.ts'
import type { BootPolicyName } from '../../evidence/uefi/policy/boot-policy.ts'
import type { ReadState } from './remember-policies.ts'

/** What a boot log is compared with: the text of a reference state, and the policy that interprets it. */
export interface BootAsked {
  /** null when nothing is asked */
  readonly bootPolicy: string | null
  readonly bootPolicyName: BootPolicyName
}

/**
 * The expectations for a boot log; none without a reference state.
 *
 * @throws {PolicyError} when the reference state cannot be read
 */
export function bootExpectations(
  { bootPolicy, bootPolicyName: name }: BootAsked,
  readState: ReadState,
): Pick<EvidenceCase, 'measuredBoot'> {
  if (bootPolicy === null) return {}
  return { measuredBoot: { required: true, policy: { name, state: readState(bootPolicy) } } }
}
