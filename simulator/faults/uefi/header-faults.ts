import { HASHES } from '../../tpm/hash.ts'
import { cat, filled, text, u32le } from '../../tpm/write.ts'
import { startupLocality } from '../../uefi/event-data.ts'
import { EV } from '../../uefi/event-types.ts'
import { parseUefiLog, type UefiEvent } from '../../uefi/log.ts'
import { writeLogOf, writeSha1Event } from '../../uefi/log-form.ts'
import { headerBytes, otherHeader, statedBanks } from '../../uefi/log-overrides.ts'
import { falseLogs, type UefiFault } from './uefi-fault.ts'

const REFUSED = 'refused' as const
const SHA1_AND_SHA256 = statedBanks(['sha1', 'sha256'])
const UNKNOWN_ALGORITHM = [0x7fff, 5] as const

/** Gives every event the digests that the header states, by kind or order. */
function withDigests(
  bytes: Uint8Array,
  order: (digests: UefiEvent['digests']) => readonly (readonly [number, Uint8Array])[],
): Uint8Array {
  const { events } = parseUefiLog(bytes)
  const turned = events.map((event) => ({ ...event, digests: new Map(order(event.digests)) }))
  const [first] = turned
  const algorithms = [...(first?.digests ?? [])].map(([alg, value]) => [alg, value.length] as const)
  return cat(headerBytes({ algorithms }), ...writtenEvents(turned))
}

function writtenEvents(events: readonly UefiEvent[]): readonly Uint8Array[] {
  return events.map(({ pcr, type, digests, data }) => {
    const values = [...digests].map(([alg, value]) =>
      cat(Uint8Array.of(alg & 0xff, alg >> 8), value),
    )
    return cat(u32le(pcr), u32le(type), u32le(values.length), ...values, u32le(data.length), data)
  })
}

/** The log in the format of TCG 1.2. */
function sha1Only(bytes: Uint8Array): Uint8Array {
  return writeLogOf({ form: 'sha1', banks: ['sha1'] }, parseUefiLog(bytes).events)
}

function beginningWith(event: UefiEvent, bytes: Uint8Array): Uint8Array {
  return cat(writeSha1Event(event), sha1Only(bytes))
}

const LOCALITY: UefiEvent = {
  ...{ pcr: 0, type: EV.NO_ACTION, digests: new Map() },
  data: startupLocality(3),
}

/** Case 82: almost empty logs. */
const EMPTY = falseLogs(82, [
  { slug: 'nothing', what: 'its firmware log is empty', outcome: 'fails', log: () => filled(0) },
  {
    slug: 'half-an-event',
    what: 'its firmware log is 31 bytes long',
    outcome: REFUSED,
    log: (bytes) => bytes.subarray(0, 31),
  },
  {
    slug: 'header-alone',
    what: 'its firmware log is a header and no event',
    outcome: 'fails',
    log: (bytes) => headerBytes({ algorithms: [...parseUefiLog(bytes).algorithms] }),
  },
])

/** Case 83: logs without a header, and so with SHA-1 digests only. */
const HEADLESS = falseLogs(83, [
  {
    slug: 'begins-with-version',
    what: 'its firmware log has no header and SHA-1 digests alone',
    outcome: 'fails',
    log: sha1Only,
  },
  {
    slug: 'begins-with-locality',
    what: 'its firmware log begins with a StartupLocality of the old form',
    outcome: 'fails',
    log: (bytes) => beginningWith(LOCALITY, bytes),
  },
])

/** Case 84: other headers. */
const HEADERS = falseLogs(84, [
  ...(['Spec ID Event02\0', 'Spec ID Event00\0', 'Spec ID Event03.'] as const).map(
    (signature, at) => ({
      slug: `signature-${['event02', 'event00', 'without-end'][at]}`,
      what: `the header of its firmware log says ${JSON.stringify(signature)}`,
      outcome: 'fails' as const,
      log: otherHeader({ signature: text(signature) }),
    }),
  ),
  ...(
    [
      [1, 2],
      [3, 0],
    ] as const
  ).map((version) => ({
    slug: `version-${version.join('-')}`,
    what: `the header of its firmware log is of version ${version.join('.')}`,
    outcome: 'either' as const,
    log: otherHeader({ version }),
  })),
  ...[0, 1, 3].map((uintnSize) => ({
    slug: `uintn-${uintnSize}`,
    what: `the header of its firmware log states integers of ${uintnSize} words`,
    outcome: 'either' as const,
    log: otherHeader({ uintnSize }),
  })),
  ...[0, 28, 33, 0xffffffff].map((eventSize) => ({
    slug: `header-size-${eventSize}`,
    what: `the header of its firmware log states a size of ${eventSize}`,
    outcome: REFUSED,
    log: otherHeader({ eventSize }),
  })),
])

/** Case 85: the list of algorithms. */
const ALGORITHMS = falseLogs(85, [
  ...[0, 1, 5, 0xffffffff].map((algorithmCount) => ({
    slug: `algorithm-count-${algorithmCount}`,
    what: `the header of its firmware log counts ${algorithmCount} algorithms`,
    outcome: REFUSED,
    log: otherHeader({ algorithmCount, algorithms: SHA1_AND_SHA256 }),
  })),
  {
    slug: 'algorithm-twice',
    what: 'the header of its firmware log names an algorithm twice',
    outcome: REFUSED,
    log: (bytes) => otherHeader({ algorithms: twice(parseUefiLog(bytes).algorithms) })(bytes),
  },
  {
    slug: 'sha256-of-20-bytes',
    what: 'the header of its firmware log gives SHA-256 twenty bytes',
    outcome: REFUSED,
    log: (bytes) => otherHeader({ algorithms: shortened(parseUefiLog(bytes).algorithms) })(bytes),
  },
  {
    slug: 'sha256-first',
    what: 'nothing wrong: its firmware log names SHA-256 before SHA-1',
    outcome: 'accepted',
    log: (bytes) => withDigests(bytes, (digests) => [...digests].toReversed()),
  },
  {
    slug: 'algorithm-unknown',
    what: 'nothing wrong: its firmware log has one more bank, of an unknown algorithm',
    outcome: 'accepted',
    log: (bytes) => {
      const [alg, size] = UNKNOWN_ALGORITHM
      return withDigests(bytes, (digests) => [...digests, [alg, filled(size, 0x5a)]])
    },
  },
])

function twice(algorithms: ReadonlyMap<number, number>): readonly (readonly [number, number])[] {
  const stated = [...algorithms]
  return [...stated, ...stated.slice(0, 1)]
}

function shortened(
  algorithms: ReadonlyMap<number, number>,
): readonly (readonly [number, number])[] {
  return [...algorithms].map(([alg, size]) => [alg, alg === HASHES.sha256.alg ? 20 : size] as const)
}

/** Case 86: vendor information in the header. */
const VENDOR = falseLogs(86, [
  {
    slug: 'vendor-info-beyond',
    what: 'the header of its firmware log has less vendor information than it states',
    outcome: REFUSED,
    log: otherHeader({ vendorInfo: text('maker'), vendorInfoSize: 200 }),
  },
  {
    slug: 'vendor-info',
    what: 'nothing wrong: the header of its firmware log has vendor information',
    outcome: 'accepted',
    log: otherHeader({ vendorInfo: text('maker') }),
  },
])

/** Faults in the header of the firmware log: cases 82 to 86. */
export const HEADER_FAULTS: readonly UefiFault[] = [
  ...EMPTY,
  ...HEADLESS,
  ...HEADERS,
  ...ALGORITHMS,
  ...VENDOR,
]
