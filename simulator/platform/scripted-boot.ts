import type { ImaEntry } from '../ima/list.ts'
import { hashedEntry } from '../ima/make-entry.ts'
import { digest } from '../tpm/hash.ts'
import { cat, equal, filled, text } from '../tpm/write.ts'
import type { UefiEvent } from '../uefi/log.ts'
import { eventsIn, formOf, writeLogOf } from '../uefi/log-form.ts'
import { eventOf } from '../uefi/measured-event.ts'
import { ALL_BANKS, type FirmwareProfile } from '../uefi/profiles/profile.ts'
import { replayEvents } from '../uefi/replay-log.ts'
import type { RecordedBoot, ScriptedFirmware } from './recorded-boot.ts'

export type EditEvents = (events: readonly UefiEvent[]) => readonly UefiEvent[]

/** Returns the measurements of a firmware in every bank: a TPM hashes its input in each of them. */
export function eventsOf({ steps }: Pick<FirmwareProfile, 'steps'>): readonly UefiEvent[] {
  return steps.map((step) => eventOf(step, ALL_BANKS))
}

/** Returns what the firmware of a boot measured. */
export function measuredEvents({ firmware, uefi }: RecordedBoot): readonly UefiEvent[] {
  return firmware?.measured ?? eventsIn(uefi)
}

const AGGREGATED = Array.from({ length: 10 }, (_, pcr) => pcr)
const AGGREGATE_NAME = text('boot_aggregate\0')

/** Returns the hash of PCRs 0 to 9 of the SHA-256 bank, which a kernel measures first. */
export function bootAggregate(events: readonly UefiEvent[]): Uint8Array {
  return digest('sha256', cat(...replayEvents(events, 'sha256', AGGREGATED).values()))
}

/** Returns the list of a kernel started by other firmware, with another boot aggregate. */
export function withAggregate(
  ima: readonly ImaEntry[],
  aggregate: Uint8Array,
): readonly ImaEntry[] {
  const field = cat(text('sha256:\0'), aggregate)
  return ima.map((entry) =>
    equal(entry.fields[1] ?? filled(0), AGGREGATE_NAME)
      ? hashedEntry({ ...entry, fields: entry.fields.with(0, field) })
      : entry,
  )
}

function bootOf(firmware: ScriptedFirmware, { ima }: RecordedBoot): RecordedBoot {
  return {
    firmware,
    uefi: writeLogOf(firmware, firmware.measured),
    ima: withAggregate(ima, bootAggregate(firmware.measured)),
  }
}

/** Returns a boot of this firmware in place of another: its measurements, its log, and a matching list. */
export function scriptedBoot(profile: FirmwareProfile, before: RecordedBoot): RecordedBoot {
  const { form, banks } = profile
  return bootOf({ form, banks, measured: eventsOf(profile) }, before)
}

/** Returns a boot of the same firmware with other measurements. */
export function editedBoot(boot: RecordedBoot, edit: EditEvents): RecordedBoot {
  const form = boot.firmware ?? formOf(boot.uefi)
  return bootOf({ ...form, measured: edit(measuredEvents(boot)) }, boot)
}
