import { BINARY_FAULTS } from './binary-faults.ts'
import type { Fault } from './fault.ts'
import { LIST_FAULTS } from './list-faults.ts'
import { NAME_FAULTS } from './name-faults.ts'
import { QUOTE_FAULTS } from './quote-faults.ts'
import { UEFI_FAULTS } from './uefi/known-uefi-faults.ts'

/** Every fault that a script can name. */
export const FAULTS: readonly Fault[] = [
  ...QUOTE_FAULTS,
  ...LIST_FAULTS,
  ...BINARY_FAULTS,
  ...NAME_FAULTS,
  ...UEFI_FAULTS,
]

/** Returns the fault of that name. */
export function faultByName(name: string): Fault | undefined {
  return FAULTS.find((fault) => fault.name === name)
}
