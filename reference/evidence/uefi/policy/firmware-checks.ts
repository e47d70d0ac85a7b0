import { toHex } from '../../../bytes/hex.ts'
import type { Check } from '../../check.ts'
import type { ReadEvent } from '../log/event-data.ts'
import { type EventTypeName, eventTypeName } from '../log/event-types.ts'
import { type BootPolicyCase, eventsOf } from './boot-policy-case.ts'
import { broken } from './policy-findings.ts'
import type { Digests, ReferenceFirmware } from './reference-state.ts'

/** Events that may follow the last listed firmware without being listed: they differ from boot to boot. */
const UNLISTED: ReadonlySet<EventTypeName | undefined> = new Set([
  ...(['EV_POST_CODE', 'EV_POST_CODE2', 'EV_EFI_HANDOFF_TABLES'] as const),
  ...(['EV_NONHOST_CODE', 'EV_NONHOST_CONFIG', 'EV_NONHOST_INFO'] as const),
])

/** Whether an event of PCR 0 may be unlisted if no listed one follows it. */
export function mayBeUnlisted({ untrustedType }: ReadEvent): boolean {
  return UNLISTED.has(eventTypeName(untrustedType))
}

/** Whether an event has one of the digests that are listed for its bank. */
export function hasDigest({ digest }: ReadEvent, listed: Digests, bank: string): boolean {
  return listed.get(bank) === toHex(digest)
}

/**
 * Firmware is measured before it runs, so an unlisted component comes before the events that it measures itself,
 * regardless of its event data: up to the last listed component, PCR 0 must hold nothing else. Behind it there may be events of
 * the types above, or only those that the state lists, where it does.
 */
function isListed(boot: BootPolicyCase, listed: ReferenceFirmware): boolean {
  const { scrtm, platformFirmware, others } = listed
  const versions = eventsOf(boot, 'crtm')
  const firmware = eventsOf(boot, 'firmware')
  const isVersion = versions.every((event) => hasDigest(event, scrtm, boot.bank))
  const isLong = firmware.length >= platformFirmware.length
  if (versions.length === 0 || !isVersion || !isLong) return false
  if (!firmware.every((event, at) => isAt(event, platformFirmware[at], boot.bank))) return false
  const behind = firmware.slice(platformFirmware.length)
  return !others || behind.every((event) => isAmong(event, others, boot.bank))
}

/** No digest covers the type of an event: what follows may be firmware under any name. */
function isAmong(event: ReadEvent, listed: readonly Digests[], bank: string): boolean {
  return listed.some((each) => hasDigest(event, each, bank))
}

function isAt(event: ReadEvent, listed: Digests | undefined, bank: string): boolean {
  return listed === undefined ? mayBeUnlisted(event) : hasDigest(event, listed, bank)
}

/** The checks of PCR 0. */
export const firmwareChecks: readonly Check<BootPolicyCase>[] = [
  {
    id: 'boot-policy.firmware',
    why: 'everything that is measured later is measured by this firmware',
    run: (boot) => {
      const { firmware } = boot.policy.state
      if (firmware === undefined || firmware.some((each) => isListed(boot, each))) return undefined
      const got = {
        scrtm: eventsOf(boot, 'crtm').map(({ digest }) => toHex(digest)),
        platform_firmware: eventsOf(boot, 'firmware').map(({ digest }) => toHex(digest)),
      }
      const message = `the firmware is none of the ${firmware.length} of scrtm_and_bios in ${boot.bank}`
      return broken(boot, message, { got })
    },
  },
]
