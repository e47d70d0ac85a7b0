import type { EditEvents } from '../../../../simulator/platform/scripted-boot.ts'
import { signatureData } from '../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../simulator/uefi/event-types.ts'
import { GUIDS } from '../../../../simulator/uefi/guid.ts'
import type { UefiEvent } from '../../../../simulator/uefi/log.ts'
import { OWNER } from '../../../../simulator/uefi/profiles/secure-boot-keys.ts'
import {
  authority,
  booted,
  config,
  listsOf,
  replaced,
  STRANGER,
  strange,
  variableAs,
} from './boot-evidence.ts'
import { OF_VENDOR } from './boot-vendor.ts'
import type { NearMiss } from './near-miss.ts'

const isKeys = ({ pcr, type }: UefiEvent) => pcr === 7 && type === EV.EFI_VARIABLE_DRIVER_CONFIG
const isSeparator = ({ type }: UefiEvent) => type === EV.SEPARATOR
const isOfKeys = (event: UefiEvent) => isKeys(event) || (isSeparator(event) && event.pcr === 7)

/** Moves events behind the last separator of the others. */
function behindSeparators(moved: (event: UefiEvent) => boolean): EditEvents {
  return (events) => {
    const others = events.filter((event) => !moved(event))
    return others.toSpliced(others.findLastIndex(isSeparator) + 1, 0, ...events.filter(moved))
  }
}

/** shim runs behind the separator, and measures its keys there. */
const ofShim: EditEvents = (events) => {
  const named = { guid: GUIDS.shim, name: 'vendor_db' }
  const keys = events
    .filter(config('dbx'))
    .map((one) => variableAs(one, { ...named, data: listsOf([strange], GUIDS.certX509) }))
  return replaced(authority, (one) => [
    ...[one, ...keys],
    variableAs(one, { ...named, data: signatureData(OWNER, STRANGER) }),
  ])(events)
}

/** What firmware measures of Secure Boot comes before the separator of PCR 7; what comes later, any program may measure. */
export const SEPARATED: readonly NearMiss[] = [
  {
    sends: 'keys of a vendor behind the separator of PCR 7',
    evidence: () => booted({ events: ofShim, policy: (one) => ({ ...one, vendor_db: OF_VENDOR }) }),
  },
  {
    sends: 'keys and the separator of PCR 7 behind the other separators',
    evidence: () => booted({ events: behindSeparators(isOfKeys) }),
  },
  {
    sends: 'keys behind the separator of PCR 7',
    breaks: 'VER-EVIDENCE-BOOT-JUDGES',
    evidence: () => booted({ events: behindSeparators(isKeys) }),
  },
]
