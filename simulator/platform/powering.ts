import type { ImaEntry } from '../ima/list.ts'
import type { Broker } from '../swtpm/broker.ts'
import { TPM_SU } from '../tpm/constants.ts'
import type { Tpm } from '../tpm/tpm.ts'
import type { OutputMutator } from './outputs.ts'
import type { RecordedBoot } from './recorded-boot.ts'
import { replayBoot } from './replay.ts'
import { type UefiView, uefiView } from './uefi-view.ts'

/** Derives another boot from the current one: other firmware, or other events. */
type ChangeBoot = (boot: RecordedBoot) => RecordedBoot

/** Power events. Keys, NV and seeds stay; sessions and transient objects are lost. */
export interface Powering {
  /** The whole firmware log, and its number of events including the specification header. */
  readonly uefi: UefiView
  /** Time of the last boot, ISO 8601 in UTC. */
  readonly bootTime: string
  /**
   * TPM reset: the boot is measured again into cleared PCRs, and the IMA list starts again. resetCount grows.
   * `change` replaces the boot from now on.
   */
  reboot(change?: ChangeBoot): Promise<void>
  /** TPM resume: PCRs and list are unchanged, restartCount grows. */
  suspend(): Promise<void>
}

/** Milliseconds between two boots: both are within the same minute. */
const BOOT_LASTS_MS = 20_000

/** Returns the time of the next boot. */
export function later(bootTime: string): string {
  const at = new Date(Date.parse(bootTime) + BOOT_LASTS_MS).toISOString()
  return at.replace('.000Z', 'Z')
}

/** Cycles the power of one machine and performs the steps of its firmware and kernel. */
export function powering(machine: {
  readonly broker: Pick<Broker, 'powerCycle'>
  readonly tpm: Pick<Tpm, 'pcrExtend'>
  readonly boot: RecordedBoot
  readonly entries: ImaEntry[]
  readonly bootTime: string
  readonly faults: OutputMutator
}): Powering {
  const { broker, tpm, entries, faults } = machine
  let { bootTime, boot } = machine
  return {
    uefi: uefiView(() => boot, faults),
    get bootTime() {
      return bootTime
    },
    async reboot(change) {
      boot = change?.(boot) ?? boot
      await broker.powerCycle(TPM_SU.CLEAR)
      await replayBoot(tpm, boot)
      entries.splice(0, entries.length, ...boot.ima)
      bootTime = later(bootTime)
    },
    suspend: () => broker.powerCycle(TPM_SU.STATE),
  }
}
