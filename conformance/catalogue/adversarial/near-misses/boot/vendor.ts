import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { toHex } from '../../../../../simulator/tpm/write.ts'
import type { BootPolicy } from '../../../../../simulator/uefi/boot-policy-of.ts'
import { signatureData } from '../../../../../simulator/uefi/event-data.ts'
import { GUIDS } from '../../../../../simulator/uefi/guid.ts'
import type { UefiEvent } from '../../../../../simulator/uefi/log.ts'
import { OWNER } from '../../../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { lastBit, type NearMiss } from '../near-miss.ts'
import {
  authority,
  booted,
  config,
  listsOf,
  replaced,
  STRANGER,
  strange,
  variableAs,
} from './evidence.ts'

const ROW = 'VER-EVIDENCE-BOOT-JUDGES'

type Signature = NonNullable<BootPolicy['db']>[number]
export const signatureOf = (owner: string, data: Uint8Array): Signature => ({
  ...{ SignatureOwner: owner, SignatureData: `0x${toHex(data)}` },
})

/** A policy that names these keys of a vendor, and what shim measured of such keys. */
function vendorKeys(
  sends: string,
  events: EditEvents,
  breaks?: string,
  vendor_db: readonly Signature[] = [],
): NearMiss {
  const policy = (one: BootPolicy): BootPolicy => ({ ...one, vendor_db })
  return { sends, ...(breaks && { breaks }), evidence: () => booted({ policy, events }) }
}

const OF_SHIM = { guid: GUIDS.shim, name: 'vendor_db' }

/** The keys of a vendor, as shim measures them in the place of `one`. */
export function keysOfShim(one: UefiEvent): UefiEvent {
  return variableAs(one, { ...OF_SHIM, data: listsOf([strange], GUIDS.certX509) })
}

/** The key of a vendor that verified an image, as shim measures it in the place of `one`. */
export function authorityOfShim(one: UefiEvent, key: Uint8Array): UefiEvent {
  return variableAs(one, { ...OF_SHIM, data: signatureData(OWNER, key) })
}

const withKeys = replaced(config('dbx'), (one) => [one, keysOfShim(one)])

/** What shim measures of its keys, and which of them verified an image. */
function byVendor(key: Uint8Array): EditEvents {
  const verified = replaced(authority, (one) => [one, authorityOfShim(one, key)])
  return (events) => verified(withKeys(events))
}

export const OF_VENDOR = [signatureOf(OWNER, STRANGER)]

export const VENDOR: readonly NearMiss[] = [
  vendorKeys('a policy without keys of a vendor', (events) => events),
  vendorKeys('a key of a vendor that the policy does not name', withKeys, ROW),
  vendorKeys('an authority of the vendor', byVendor(STRANGER), undefined, OF_VENDOR),
  vendorKeys('an authority of another vendor', byVendor(lastBit(STRANGER)), ROW, OF_VENDOR),
]
