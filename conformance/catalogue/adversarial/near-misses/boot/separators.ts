import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import type { UefiEvent } from '../../../../../simulator/uefi/log.ts'
import type { NearMiss } from '../near-miss.ts'
import { authority, booted, config, replaced, STRANGER } from './evidence.ts'
import { authorityOfShim, keysOfShim, OF_VENDOR } from './vendor.ts'

const isKeys = ({ pcr, type }: UefiEvent) => pcr === 7 && type === EV.EFI_VARIABLE_DRIVER_CONFIG
const isSeparator = ({ type }: UefiEvent) => type === EV.SEPARATOR
const isOfKeys = (event: UefiEvent) => isKeys(event) || (isSeparator(event) && event.pcr === 7)

/** The keys of Secure Boot, and the separator of their PCR, come behind the separators of the others. */
const keysLast: EditEvents = (events) => {
  const others = events.filter((event) => !isOfKeys(event))
  const last = others.findLastIndex(isSeparator)
  return others.toSpliced(last + 1, 0, ...events.filter(isOfKeys))
}

/** shim runs behind the separator, and measures its keys there. */
const ofShim: EditEvents = (events) => {
  const keys = events.filter(config('dbx')).map(keysOfShim)
  return replaced(authority, (one) => [one, ...keys, authorityOfShim(one, STRANGER)])(events)
}

/** Each PCR has a separator of its own, and shim measures behind all of them. */
export const SEPARATED: readonly NearMiss[] = [
  {
    sends: 'keys of a vendor behind the separator of PCR 7',
    evidence: () => booted({ events: ofShim, policy: (one) => ({ ...one, vendor_db: OF_VENDOR }) }),
  },
  {
    sends: 'keys and the separator of PCR 7 behind the other separators',
    evidence: () => booted({ events: keysLast }),
  },
]
