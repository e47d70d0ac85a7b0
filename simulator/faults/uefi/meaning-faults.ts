import {
  changed,
  doubled,
  inserted,
  remeasured,
  swapped,
  without,
} from '../../platform/edit-events.ts'
import type { Bytes } from '../../platform/outputs.ts'
import { eventsOf, withAggregate } from '../../platform/scripted-boot.ts'
import { HASHES } from '../../tpm/hash.ts'
import { cat, equal, filled, text, u32le } from '../../tpm/write.ts'
import { startupLocality } from '../../uefi/event-data.ts'
import { EV } from '../../uefi/event-types.ts'
import { parseUefiLog, type UefiEvent } from '../../uefi/log.ts'
import { formOf, type LogForm, writeLogOf } from '../../uefi/log-form.ts'
import { boundaries, ofType, otherEvents } from '../../uefi/log-overrides.ts'
import { measures } from '../../uefi/measured-event.ts'
import { SHIM_GRUB } from '../../uefi/profiles/loaders.ts'
import { OVMF } from '../../uefi/profiles/ovmf.ts'
import { contentNamed, type FirmwareProfile, LEAVES } from '../../uefi/profiles/profile.ts'
import { changedBoots, falseLogs, type UefiFault } from './uefi-fault.ts'

const REFUSED = 'refused' as const
const LOCALITY = text('StartupLocality\0')
const SEPARATOR_OF_4 = ofType(4, EV.SEPARATOR)
const IMAGE = ofType(4, EV.EFI_BOOT_SERVICES_APPLICATION)

function isLocality({ data }: UefiEvent): boolean {
  return LOCALITY.every((byte, at) => data[at] === byte)
}

/** The StartupLocality event with other data, or at another place. */
function localityAs(data: Uint8Array, pcr = 0): Bytes {
  return otherEvents((events) => {
    const digests = new Map(
      [...(events[0]?.digests ?? [])].map(([alg, value]) => [alg, filled(value.length)]),
    )
    const others = events.filter((event) => !isLocality(event))
    return [{ pcr, type: EV.NO_ACTION, digests, data }, ...others]
  })
}

/** Case 93: the startup locality of the TPM, which PCR 0 contradicts. */
const LOCALITIES = falseLogs(93, [
  {
    slug: 'locality-0',
    what: 'nothing wrong: its firmware log says that its TPM was started from locality 0',
    outcome: 'accepted',
    log: localityAs(startupLocality(0)),
  },
  ...[1, 3, 4, 255].map((locality) => ({
    slug: `locality-${locality}`,
    what: `its firmware log says that its TPM was started from locality ${locality}, and PCR 0 that it was from 0`,
    outcome: REFUSED,
    log: localityAs(startupLocality(locality)),
  })),
  {
    slug: 'locality-twice',
    what: 'its firmware log says twice from which locality its TPM was started',
    outcome: 'either',
    log: (bytes) =>
      otherEvents((events) => [events.find(isLocality), ...events].flatMap((event) => event ?? []))(
        localityAs(startupLocality(0))(bytes),
      ),
  },
  {
    slug: 'locality-of-pcr-1',
    what: 'its firmware log tells the locality in an event of PCR 1',
    outcome: 'either',
    log: localityAs(startupLocality(0), 1),
  },
  {
    slug: 'locality-late',
    what: 'its firmware log tells the locality behind the first measurement of PCR 0',
    outcome: 'either',
    log: (bytes) =>
      otherEvents(([first, second, ...rest]) =>
        [second, first, ...rest].flatMap((event) => event ?? []),
      )(localityAs(startupLocality(0))(bytes)),
  },
  {
    slug: 'locality-without-end',
    what: 'its firmware log tells the locality without a zero behind the name',
    outcome: 'either',
    log: localityAs(cat(LOCALITY.subarray(0, -1), filled(1))),
  },
])

/** Case 95: events between firmware and operating system. */
const SEPARATORS = changedBoots(95, [
  {
    slug: 'separator-error',
    what: 'its firmware tells of an error in the separator of PCR 4',
    outcome: 'policy',
    firmware: changed(SEPARATOR_OF_4, (event) => remeasured(event, u32le(1))),
  },
  {
    slug: 'separator-twice',
    what: 'its firmware measures the separator of PCR 4 twice',
    outcome: 'either',
    firmware: doubled(SEPARATOR_OF_4),
  },
  {
    slug: 'separator-missing',
    what: 'its firmware measures no separator into PCR 4',
    outcome: 'either',
    firmware: without(SEPARATOR_OF_4),
  },
  {
    slug: 'separator-of-pcr-8',
    what: 'its firmware measures a separator into PCR 8',
    outcome: 'either',
    firmware: inserted(measures(8, 'SEPARATOR', u32le(0))),
  },
])

/** Case 96: events at the exit of the firmware. */
const LEAVING = changedBoots(96, [
  {
    slug: 'leaves-in-silence',
    what: 'nothing wrong: its firmware does not say that it left',
    outcome: 'accepted',
    firmware: (events) => events.slice(0, -LEAVES.length),
  },
  {
    slug: 'event-after-leaving',
    what: 'its loader measures its command line after the firmware left',
    outcome: 'either',
    firmware: inserted(measures(9, 'EVENT_TAG', cat(u32le(0x8f3b22ed), u32le(1), filled(1)))),
  },
])

/** Case 97: concatenated logs. */
const JOINED = falseLogs(97, [
  {
    slug: 'log-twice',
    what: 'its firmware log appears twice in a row',
    outcome: REFUSED,
    log: (bytes) => cat(bytes, bytes),
  },
  {
    slug: 'final-events-again',
    what: 'the last three events of its firmware log follow once more',
    outcome: REFUSED,
    log: (bytes) => cat(bytes, bytes.subarray(boundaries(bytes).at(-4))),
  },
])

const UNKNOWN_TYPE = 0x80000099

/** Cases 98 to 101: fields that no digest covers, and digests of other banks. */
/** The whole log of another boot, in the form that this one has. */
function ofAnother(bytes: Uint8Array): Uint8Array {
  const form = formOf(bytes)
  const other = eventsOf(isSame(bytes, OVMF, form) ? SHIM_GRUB : OVMF)
  return writeLogOf(form, other)
}

function isSame(bytes: Uint8Array, profile: FirmwareProfile, form: LogForm): boolean {
  return equal(bytes, writeLogOf(form, eventsOf(profile)))
}

const UNPROVEN = [
  ...falseLogs(97, [
    {
      slug: 'log-of-another',
      what: 'its firmware log is that of another machine',
      outcome: REFUSED,
      log: ofAnother,
    },
  ]),
  ...falseLogs(98, [
    {
      slug: 'types-unknown',
      what: 'every event of PCR 4 has an unknown type',
      outcome: 'policy',
      log: otherEvents((events) =>
        events.map((event) => (event.pcr === 4 ? { ...event, type: UNKNOWN_TYPE } : event)),
      ),
    },
    {
      slug: 'image-retyped',
      what: 'the first image that was started is logged as a tagged event',
      outcome: 'policy',
      log: otherEvents(changed(IMAGE, (event) => ({ ...event, type: EV.EVENT_TAG }))),
    },
  ]),
  ...falseLogs(99, [
    {
      slug: 'image-elsewhere',
      what: 'nothing wrong: an image is logged at another place in memory',
      outcome: 'accepted',
      log: otherEvents(changed(IMAGE, (event) => ({ ...event, data: event.data.with(0, 0xee) }))),
    },
    {
      slug: 'variable-told-otherwise',
      what: 'a variable is logged with another content than was measured',
      outcome: 'policy',
      log: otherEvents(
        changed(ofType(7, EV.EFI_VARIABLE_DRIVER_CONFIG), (event) => ({
          ...event,
          data: event.data.with(-1, (event.data.at(-1) ?? 0) ^ 1),
        })),
      ),
    },
  ]),
  ...falseLogs(100, [
    {
      slug: 'sha1-log',
      what: 'its firmware log has digests of SHA-1 alone, and its quote is of SHA-256',
      outcome: 'fails',
      log: (bytes) =>
        writeLogOf({ form: 'crypto-agile', banks: ['sha1'] }, parseUefiLog(bytes).events),
    },
  ]),
  ...falseLogs(101, [
    {
      slug: 'other-bank-false',
      what: 'the SHA-1 digests of its firmware log are false, those of the quoted bank are true',
      outcome: 'either',
      log: otherEvents((events) => events.map(withFalseSha1)),
    },
  ]),
]

function withFalseSha1(event: UefiEvent): UefiEvent {
  if (event.type === EV.NO_ACTION) return event
  return { ...event, digests: new Map(event.digests).set(HASHES.sha1.alg, filled(20, 0xaa)) }
}

/** The most obvious attacks of E.8. */
const PLAIN = [
  ...falseLogs(90, [
    {
      slug: 'event-missing',
      what: 'its firmware log does not tell of the first image that was started',
      outcome: REFUSED,
      log: otherEvents(without(IMAGE)),
    },
    {
      slug: 'event-altered',
      what: 'the first image that was started is logged with another digest',
      outcome: REFUSED,
      log: otherEvents(changed(IMAGE, (event) => ({ ...event, digests: mutated(event) }))),
    },
    {
      slug: 'events-swapped',
      what: 'two events of PCR 7 have changed places in its firmware log',
      outcome: REFUSED,
      log: otherEvents(swapped(ofType(7, EV.EFI_VARIABLE_DRIVER_CONFIG))),
    },
  ]),
  ...changedBoots(98, [
    {
      slug: 'other-image',
      what: 'its firmware starts another image in place of the first',
      outcome: 'policy',
      firmware: changed(IMAGE, (event) => ({
        ...event,
        digests: remeasured(event, contentNamed('another image')).digests,
      })),
    },
    {
      slug: 'further-image',
      what: 'its firmware starts a further image before the others',
      outcome: 'policy',
      firmware: inserted(
        measures(4, 'EFI_BOOT_SERVICES_APPLICATION', filled(32), contentNamed('a further image')),
        IMAGE,
      ),
    },
  ]),
]

function mutated({ digests }: UefiEvent): UefiEvent['digests'] {
  return new Map([...digests].map(([alg, value]) => [alg, value.with(0, (value[0] ?? 0) ^ 1)]))
}

/** The kernel's own first entry, which ties its list to the firmware. */
const UNTIED: UefiFault = {
  name: 'uefi-aggregate-untied',
  what: 'its measurement list begins with the boot aggregate of another machine',
  cases: [71],
  outcome: 'policy',
  mutations: {},
  happens: (machine) =>
    machine.reboot((boot) => ({ ...boot, ima: withAggregate(boot.ima, filled(32, 0x5a)) })),
}

/** Faults in the meaning of events: cases 71, 93 and 95 to 101. */
export const MEANING_FAULTS: readonly UefiFault[] = [
  UNTIED,
  ...PLAIN,
  ...LOCALITIES,
  ...SEPARATORS,
  ...LEAVING,
  ...JOINED,
  ...UNPROVEN,
]
