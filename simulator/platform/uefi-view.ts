import { countEvents } from '../uefi/log-form.ts'
import type { OutputMutator } from './outputs.ts'
import type { RecordedBoot } from './recorded-boot.ts'

/** The firmware log that a machine sends. */
export interface UefiView {
  /** The whole `binary_bios_measurements`. */
  readonly bytes: Uint8Array
  /** Number of events, including the specification header. */
  readonly entryCount: number
}

/** Presents the log of the last boot of a machine, subject to its faults. */
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
