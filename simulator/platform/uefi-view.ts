import { countEvents } from '../uefi/log-form.ts'
import type { OutputMutator } from './outputs.ts'
import type { RecordedBoot } from './recorded-boot.ts'

/** The firmware log as a machine hands it out. */
export interface UefiView {
  /** The whole `binary_bios_measurements`. */
  readonly bytes: Uint8Array
  /** How many events it has, with the specification header among them. */
  readonly entryCount: number
}

/** Shows the log of the boot that a machine went through last, through its faults. */
export function uefiView(boot: () => RecordedBoot, faults: OutputMutator): UefiView {
  return {
    get bytes() {
      return faults.mutate('uefi', boot().uefi)
    },
    get entryCount() {
      return countEvents(this.bytes)
    },
  }
}
