import { DATA_FAULTS } from './data-faults.ts'
import { EVENT_FAULTS } from './event-faults.ts'
import { HEADER_FAULTS } from './header-faults.ts'
import { MEANING_FAULTS } from './meaning-faults.ts'
import { POLICY_FAULTS } from './policy-faults.ts'
import type { UefiFault } from './uefi-fault.ts'

/** Every fault of a firmware log: false logs, and correctly logged changes of the boot. */
export const UEFI_FAULTS: readonly UefiFault[] = [
  ...HEADER_FAULTS,
  ...EVENT_FAULTS,
  ...MEANING_FAULTS,
  ...POLICY_FAULTS,
  ...DATA_FAULTS,
]
