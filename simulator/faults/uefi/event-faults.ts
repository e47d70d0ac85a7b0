import { inserted } from '../../platform/edit-events.ts'
import type { Bytes } from '../../platform/outputs.ts'
import { HASHES } from '../../tpm/hash.ts'
import { cat, filled, text } from '../../tpm/write.ts'
import { EV } from '../../uefi/event-types.ts'
import { parseUefiLog, type UefiEvent, writeUefiEvent } from '../../uefi/log.ts'
import {
  boundaries,
  type EventOverrides,
  eventBytes,
  headerBytes,
  ofType,
  otherEvents,
  rewritten,
} from '../../uefi/log-overrides.ts'
import { measures } from '../../uefi/measured-event.ts'
import { changedBoots, falseLogs, type UefiFault } from './uefi-fault.ts'

const REFUSED = 'refused' as const
const ACCEPTED = 'accepted' as const
const SM3 = 0x0012

type StatedDigest = readonly [alg: number, digest: Uint8Array]

const SEPARATOR_OF_4 = ofType(4, EV.SEPARATOR)

/** The separator of PCR 4 with some invalid fields. */
function separatorWith(overrides: (event: UefiEvent) => Partial<EventOverrides>): Bytes {
  return rewritten(SEPARATOR_OF_4, (event) => eventBytes({ event, ...overrides(event) }))
}

/** Inserts an event before the separator of PCR 4. */
function withEvent(event: UefiEvent): Bytes {
  return otherEvents((events) => {
    const digests = new Map([...(events[0]?.digests ?? [])].map(zeroed))
    return events.toSpliced(events.findIndex(SEPARATOR_OF_4), 0, { ...event, digests })
  })
}

function zeroed([alg, value]: readonly [number, Uint8Array]): readonly [number, Uint8Array] {
  return [alg, filled(value.length)]
}

/** Case 87: digests that differ from the header's list. */
const DIGESTS = falseLogs(87, [
  {
    slug: 'no-digests',
    what: 'an event of its firmware log has no digest',
    outcome: 'fails',
    log: separatorWith(() => ({ digests: [] })),
  },
  {
    slug: 'sha1-digest-alone',
    what: 'an event of its firmware log has a SHA-1 digest alone',
    outcome: 'fails',
    log: separatorWith(({ digests }) => ({ digests: [...digests].slice(0, 1) })),
  },
  {
    slug: 'sha256-digest-alone',
    what: 'nothing wrong: an event of its firmware log has a digest of the quoted bank alone',
    outcome: ACCEPTED,
    log: separatorWith(({ digests }) => ({
      digests: [...digests].filter(([alg]) => alg === HASHES.sha256.alg),
    })),
  },
  {
    slug: 'digest-too-many',
    what: 'an event of its firmware log counts a digest more than it has',
    outcome: REFUSED,
    log: separatorWith(({ digests }) => ({ digestCount: digests.size + 1 })),
  },
  {
    slug: 'digest-twice',
    what: 'an event of its firmware log has two digests of one algorithm',
    outcome: REFUSED,
    log: separatorWith(({ digests }) => ({
      digests: twiceTheSecond([...digests]),
    })),
  },
  {
    slug: 'digest-of-no-bank',
    what: 'an event of its firmware log has a digest of an algorithm that its header does not name',
    outcome: REFUSED,
    log: separatorWith(({ digests }) => ({ digests: [SM3_DIGEST, ...[...digests].slice(1)] })),
  },
])

const SM3_DIGEST: StatedDigest = [SM3, filled(32)]

function twiceTheSecond(digests: readonly StatedDigest[]): readonly StatedDigest[] {
  const [, second = SM3_DIGEST, ...others] = digests
  return [second, second, ...others]
}
const HUNDRED_MEGABYTES = 100_000_000

/** Case 88: sizes of events. */
const SIZES = [
  ...changedBoots(88, [
    {
      slug: 'event-without-data',
      what: 'nothing wrong: an event of its firmware has no data',
      outcome: ACCEPTED,
      firmware: inserted(measures(2, 'EFI_BOOT_SERVICES_DRIVER', filled(0), text('a driver'))),
    },
  ]),
  ...falseLogs(88, [
    ...(
      [
        ['all-ones', () => 0xffffffff],
        ['one-more', ({ data }) => data.length + 1],
        ['two-gigabytes', () => 0x80000000],
      ] as const satisfies readonly (readonly [string, (event: UefiEvent) => number])[]
    ).map(([slug, size]) => ({
      slug: `event-size-${slug}`,
      what: 'the last event of its firmware log states more data than there is',
      outcome: REFUSED,
      log: lastEvent((event) => eventBytes({ event, size: size(event) })),
    })),
    {
      slug: 'event-of-100-megabytes',
      what: 'an event of its firmware log has a hundred million bytes',
      outcome: REFUSED,
      huge: true,
      log: lastEvent((event) =>
        eventBytes({
          event: { ...event, data: filled(HUNDRED_MEGABYTES) },
          size: HUNDRED_MEGABYTES + 1,
        }),
      ),
    },
  ]),
]

function lastEvent(write: (event: UefiEvent) => Uint8Array): Bytes {
  return (bytes) => {
    const { algorithms, events } = parseUefiLog(bytes)
    const written = events.map((event, at) =>
      at === events.length - 1 ? write(event) : writeUefiEvent(event),
    )
    return cat(headerBytes({ algorithms: [...algorithms] }), ...written)
  }
}

/** Case 89: PCRs that do not exist. */
const PCRS = falseLogs(89, [
  ...[24, 32, 255, 0x7fffffff].map((pcr) => ({
    slug: `pcr-${pcr}`,
    what: `an event of its firmware log is of PCR ${pcr}`,
    outcome: REFUSED,
    log: withEvent({ pcr, type: EV.EFI_ACTION, digests: new Map(), data: text('x') }),
  })),
  {
    slug: 'pcr-all-ones',
    what: 'an event of its firmware log that informs is of PCR 4294967295',
    outcome: 'either',
    log: withEvent({ pcr: 0xffffffff, type: EV.NO_ACTION, digests: new Map(), data: text('x') }),
  },
  {
    slug: 'register-of-a-guest',
    what: 'its firmware log is of the registers of a confidential guest, which begin with 1',
    outcome: REFUSED,
    log: (bytes) => {
      const { algorithms, events } = parseUefiLog(bytes)
      const registers = events.map((event) => ({ ...event, pcr: Math.min(event.pcr + 1, 4) }))
      return cat(
        headerBytes({ algorithms: [...algorithms], pcr: 1 }),
        ...registers.map(writeUefiEvent),
      )
    },
  },
])

/** Case 90: truncated logs. */
const CUTS = falseLogs(90, [
  {
    slug: 'cut-last-event',
    what: 'its firmware log lacks its last event',
    outcome: REFUSED,
    log: (bytes) => bytes.subarray(0, boundaries(bytes).at(-2)),
  },
  {
    slug: 'cut-half',
    what: 'its firmware log ends behind the separator of PCR 7',
    outcome: REFUSED,
    log: otherEvents((events) => events.slice(0, events.findIndex(ofType(7, EV.SEPARATOR)) + 1)),
  },
  ...[1, 5, 9, 13, 47].map((bytes) => ({
    slug: `cut-${bytes}`,
    what: `its firmware log lacks its last ${bytes} byte(s)`,
    outcome: REFUSED,
    log: (log: Uint8Array) => log.subarray(0, -bytes),
  })),
])

/** Case 91: bytes after the last event. */
const PADDING = falseLogs(
  91,
  (
    [
      ['zeros-1', 1, 0],
      ['zeros-511', 511, 0],
      ['zeros-64k', 65_536, 0],
      ['zeros-1m', 1_048_576, 0],
      ['ones-511', 511, 0xff],
      ['ones-4096', 4096, 0xff],
    ] as const
  ).map(([slug, count, value]) => ({
    slug: `padding-${slug}`,
    what: `nothing wrong: ${count} byte(s) of ${value} follow its firmware log`,
    outcome: ACCEPTED,
    log: (bytes: Uint8Array) => cat(bytes, filled(count, value)),
  })),
)

/** Case 92: informational events are not extended, with any digest. */
const INFORMS = falseLogs(92, [
  {
    slug: 'informs-with-digest',
    what: 'nothing wrong: an event that informs has a digest, which was not extended',
    outcome: ACCEPTED,
    log: otherEvents((events) => {
      const data = text('informs')
      const digests = new Map(
        [...(events[0]?.digests ?? [])].map(([alg, value]) => [alg, filled(value.length, 7)]),
      )
      return [...events, { pcr: 4, type: EV.NO_ACTION, data, digests }]
    }),
  },
  {
    slug: 'measured-as-informing',
    what: 'an event of its firmware log that was measured says that it informs alone',
    outcome: REFUSED,
    log: rewritten(ofType(4, EV.EFI_ACTION), (event) =>
      eventBytes({ event: { ...event, type: EV.NO_ACTION } }),
    ),
  },
])

/** Faults in the events of the firmware log: cases 87 to 92. */
export const EVENT_FAULTS: readonly UefiFault[] = [
  ...DIGESTS,
  ...SIZES,
  ...PCRS,
  ...CUTS,
  ...PADDING,
  ...INFORMS,
]
