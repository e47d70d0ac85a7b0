import { UEFI_FAULTS } from '../../faults/uefi/known-uefi-faults.ts'
import type { Section } from '../form.ts'
import { EVENTS, logEvidence, variantOfFault } from './log-evidence.ts'

const FIRST_OF_SECTION = 102

/** Section E.9: defects of the data of firmware events. */
export function dataSection(): Section {
  const faults = UEFI_FAULTS.filter(({ cases: [number = 0] }) => number >= FIRST_OF_SECTION)
  return {
    section: 'E.9',
    baselines: { boot: logEvidence(EVENTS) },
    variants: faults.map((fault) => variantOfFault('e9', fault, 'policy_violation')),
  }
}
