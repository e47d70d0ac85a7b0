import { base64 } from '../../../conformance/client/bytes.ts'
import type { Machine } from '../../../simulator/machine/machine.ts'

/** Returns the measurement list of a machine as its kernel prints it, from an entry on. */
export function imaListOf({ ima }: Pick<Machine, 'ima'>, from = 0): string {
  return new TextDecoder().decode(ima.ascii(from))
}

/** Returns the firmware log of a machine in base64. */
export function bootLogOf({ uefi }: Pick<Machine, 'uefi'>): string {
  return base64(uefi.bytes)
}
