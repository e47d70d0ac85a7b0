import { faultByName } from '../../../simulator/faults/known-faults.ts'
import type { UefiFault } from '../../../simulator/faults/uefi/uefi-fault.ts'
import { eventsOf } from '../../../simulator/platform/scripted-boot.ts'
import { startupLocality } from '../../../simulator/uefi/event-data.ts'
import type { UefiEvent } from '../../../simulator/uefi/log.ts'
import { type LogForm, writeLogOf } from '../../../simulator/uefi/log-form.ts'
import { headerBytes, otherEvents, statedBanks } from '../../../simulator/uefi/log-overrides.ts'
import { eventOf, measures } from '../../../simulator/uefi/measured-event.ts'
import { SHIM_GRUB } from '../../../simulator/uefi/profiles/loaders.ts'

/** Form of the logs in the tests. */
export const FORM: LogForm = { form: 'crypto-agile', banks: ['sha1', 'sha256'] }
const EVENTS = eventsOf(SHIM_GRUB)
/** A log without warnings. */
export const SOUND = writeLogOf(FORM, EVENTS)

/** The log with a fault of the catalogue. */
export function logWith(name: string): Uint8Array {
  const { firmware, mutations } = faultByName(name) as UefiFault
  return mutations.uefi?.(SOUND) ?? writeLogOf(FORM, firmware?.(EVENTS) ?? EVENTS)
}

/** The log with an additional first event. */
export function withFirst(event: UefiEvent): Uint8Array {
  return writeLogOf(FORM, [event, ...EVENTS])
}

/** A startup locality event with the default locality 0. */
export const LOCALITY = eventOf(measures(0, 'NO_ACTION', startupLocality(0)), FORM.banks)

const ODD: readonly (readonly [id: string, log: Uint8Array])[] = [
  ['event-digest', logWith('uefi-variable-told-otherwise')],
  ['separator-error', logWith('uefi-separator-error')],
  ['separator-again', logWith('uefi-separator-twice')],
  ['event-type', logWith('uefi-types-unknown')],
  ['event-data', logWith('uefi-variable-name-endless')],
  ['event-pcr', logWith('uefi-pcr-24')],
  ['event-bank', logWith('uefi-sha256-digest-alone')],
  ['informs-digest', logWith('uefi-informs-with-digest')],
  ['locality-place', otherEvents((events) => [...events, LOCALITY])(SOUND)],
  ['sha1-log', writeLogOf({ form: 'sha1', banks: ['sha1'] }, EVENTS)],
  ['log-padding', logWith('uefi-padding-zeros-511')],
  ['guest-registers', headerBytes({ algorithms: statedBanks(['sha384']), pcr: 1 })],
]

/** Warning id, a log with the warning, and the log without it. */
export const LOG_TWINS = ODD.map(([id, log]) => [id, 'eventlog', log, SOUND] as const)
