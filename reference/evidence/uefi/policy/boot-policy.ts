import { BOOT_PCRS } from '../boot-pcrs.ts'
import { EXAMPLE_PCRS } from './boot-rules.ts'
import type { ReferenceState } from './reference-state.ts'

/** Policies for boot logs that replay to the quoted values. */
export type BootPolicyName = 'example' | 'accept-all' | 'reject-all'

interface BootPolicyRow {
  readonly name: BootPolicyName
  /** PCRs that it rests on: these have to be quoted, and the log has to replay to them */
  readonly pcrs: readonly number[]
  readonly about: string
}

/** The available policies; the first one is the default. */
export const BOOT_POLICIES: readonly BootPolicyRow[] = [
  { name: 'example', pcrs: EXAMPLE_PCRS, about: 'events are compared with the reference state' },
  { name: 'accept-all', pcrs: BOOT_PCRS, about: 'any log that replays is good' },
  { name: 'reject-all', pcrs: BOOT_PCRS, about: 'no log is good' },
]

/** A boot policy and the reference state of an agent. */
export interface BootPolicy {
  readonly name: BootPolicyName
  readonly state: ReferenceState
}

/** PCRs that a policy rests on; without one, all that a boot log extends. */
export function policyPcrs(policy: Pick<BootPolicy, 'name'> | undefined): readonly number[] {
  return BOOT_POLICIES.find(({ name }) => name === policy?.name)?.pcrs ?? BOOT_PCRS
}
