import { doubled } from '../../../../../simulator/platform/edit-events.ts'
import { HASHES } from '../../../../../simulator/tpm/hash.ts'
import { cat, filled, text, u32le } from '../../../../../simulator/tpm/write.ts'
import type { BootPolicy } from '../../../../../simulator/uefi/boot-policy-of.ts'
import { startupLocality } from '../../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import { type UefiEvent, writeUefiEvent } from '../../../../../simulator/uefi/log.ts'
import { writeLogOf } from '../../../../../simulator/uefi/log-form.ts'
import { eventOf, measures } from '../../../../../simulator/uefi/measured-event.ts'
import { replayEvents } from '../../../../../simulator/uefi/replay-log.ts'
import { EVENTS } from '../../../../../simulator/vectors/uefi/log-evidence.ts'
import { ALTERATIONS, type NearMiss, type NearMissGroup } from '../near-miss.ts'
import { BOOT_PCRS, booted, FOREIGN, FORM } from './evidence.ts'

const [REPLAYS, READABLE, PCRS] = [
  'VER-EVIDENCE-BOOT-REPLAYS',
  'VER-EVIDENCE-BOOT-READABLE',
  'VER-EVIDENCE-BOOT-PCRS',
]

/** A quote with another value in one PCR. */
function quoting(pcr: number, says: string, alter: (value: Uint8Array) => Uint8Array): NearMiss {
  return {
    sends: `a quote of PCR ${pcr} ${says}`,
    breaks: REPLAYS,
    evidence: () =>
      booted({
        quoted: (values) => new Map(values).set(pcr, alter(values.get(pcr) ?? filled(32))),
      }),
  }
}

const VALUES: readonly NearMiss[] = [
  ...ALTERATIONS.map(([says, alter]) => quoting(4, says, alter)),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14].map((pcr) =>
    quoting(pcr, 'that the log does not lead to', () => filled(32, 0x5a)),
  ),
  ...[0, 7].flatMap((pcr) => [
    quoting(pcr, 'with zeros', () => filled(32)),
    quoting(pcr, 'with ones', () => filled(32, 0xff)),
  ]),
]

/** A log without any event of a PCR that was extended. */
const LEFT_OUT: readonly NearMiss[] = [4, 9, 14].map((pcr) => ({
  sends: `a log without any event of PCR ${pcr}`,
  breaks: REPLAYS,
  evidence: () => {
    const others = EVENTS.filter((event) => event.pcr !== pcr)
    const [log] = [booted({ events: () => others })['boot_log']]
    return { ...booted(), boot_log: log }
  },
}))

const withoutMok = ({ mokdig: _, mokxdig: __, ...policy }: BootPolicy): BootPolicy => policy

/** Under a policy that says nothing about PCR 14, the log still has to lead to its value. */
const UNNAMED: readonly NearMiss[] = [
  {
    sends: 'a log under a policy without MokList',
    evidence: () => booted({ policy: withoutMok }),
  },
  {
    sends: 'a log without any event of PCR 14 under a policy without MokList',
    breaks: REPLAYS,
    evidence: () =>
      booted({
        ...{ policy: withoutMok, quoted: fromZeros },
        events: (events) => events.filter(({ pcr }) => pcr !== 14),
      }),
  },
]

const EMPTY: NearMiss = {
  sends: 'an empty boot log',
  breaks: 'VER-EVIDENCE-BOOT-LOG-NEEDED',
  evidence: () => booted({ log: () => filled(0) }),
}

/** Quotes that lack one of the PCRs that a policy rests on. */
const LACKING: readonly NearMiss[] = [0, 4, 7, 8, 9, 14].map((pcr) => ({
  sends: `a quote without PCR ${pcr}`,
  breaks: PCRS,
  evidence: () =>
    booted({ quoted: (values) => new Map([...values].filter(([number]) => number !== pcr)) }),
}))

function appended(says: string, bytes: Uint8Array): NearMiss {
  return {
    sends: `a log followed by ${says}`,
    breaks: READABLE,
    evidence: () => booted({ log: (log) => cat(log, bytes) }),
  }
}

/** An event of no PCR that a quote covers. */
function foreign(pcr: number): Uint8Array {
  return writeUefiEvent(eventOf(measures(pcr, 'IPL', text('x')), ['sha1', 'sha256']))
}

const BYTES: readonly NearMiss[] = [
  appended('a byte', Uint8Array.of(0x41)),
  appended('36 bytes that are no event', filled(36, 0x41)),
  appended('four bytes of ones and others', cat(filled(4, 0xff), filled(12, 0x41))),
  appended('sixteen zeros and others', cat(filled(16), filled(12, 0x41))),
  ...FOREIGN.map((pcr) => appended(`an event of PCR ${pcr}`, foreign(pcr))),
  {
    sends: 'a log that ends within its last event',
    breaks: READABLE,
    evidence: () => booted({ log: (log) => log.subarray(0, -1) }),
  },
  ...[256, 0x10000].map(
    (added): NearMiss => ({
      sends: `a log with ${added} added to the PCR of its last event`,
      breaks: READABLE,
      evidence: () =>
        booted({
          log: (log) => {
            const last = EVENTS.at(-1)
            const at = log.length - (last ? lengthInLog(last) : 0)
            return cat(log.subarray(0, at), u32le((last?.pcr ?? 0) + added), log.subarray(at + 4))
          },
        }),
    }),
  ),
]

/** A boot that the TPM began in the first locality, with StartupLocality events of these. */
function begunIn(localities: readonly number[], says: string, breaks?: string): NearMiss {
  return {
    sends: `a log that begins ${says}`,
    ...(breaks && { breaks }),
    evidence: () =>
      booted({
        events: (events) => [...localities.map(locality), ...events],
        quoted: () => replayEvents(EVENTS, 'sha256', BOOT_PCRS, localities[0]),
      }),
  }
}

function locality(value: number): UefiEvent {
  const zeros = (['sha1', 'sha256'] as const).map(
    (bank) => [HASHES[bank].alg, filled(HASHES[bank].size)] as const,
  )
  const data = startupLocality(value)
  return { pcr: 0, type: EV.NO_ACTION, digests: new Map(zeros), data }
}

const LOCALITIES: readonly NearMiss[] = [
  begunIn([3], 'in locality 3'),
  begunIn([9], 'in locality 9, which no TPM starts in', READABLE),
  begunIn([3, 4], 'in locality 3, and then in locality 4', READABLE),
  begunIn([3, 3], 'in locality 3 twice', READABLE),
  {
    ...begunIn([3], 'in locality 3 although the TPM began in 0', REPLAYS),
    evidence: () => booted({ events: (events) => [locality(3), ...events], quoted: fromZeros }),
  },
]

/** The event of a hardware root of trust, after which PCR 0 begins with 4 (TPM 2.0 Library Part 1, 34.3). */
const ROOT = eventOf(measures(0, 'EFI_HCRTM_EVENT', text('HCRTM')), ['sha1', 'sha256'])

const NO_ROOT: NearMiss = {
  ...{ sends: 'a log of a hardware root of trust although PCR 0 began with 0', breaks: REPLAYS },
  evidence: () =>
    booted({
      events: (events) => [ROOT, ...events],
      policy: ({ scrtm_and_bios: _, ...one }) => one,
    }),
}

/** The values of a TPM that began in locality 0. */
function fromZeros() {
  return replayEvents(EVENTS, 'sha256', BOOT_PCRS)
}

/** A header that gives the digests of SHA-256 another size than they have. */
const BANK_SIZES: readonly NearMiss[] = [20, 31, 33, 0].map((size) => ({
  sends: `a log whose header gives SHA-256 ${size} bytes`,
  breaks: READABLE,
  evidence: () =>
    booted({
      log: (log) => {
        const at = Buffer.from(log).indexOf(Buffer.from([HASHES.sha256.alg, 0, 32, 0]))
        return log.with(at + 2, size)
      },
    }),
}))

/** The same for SHA-1, which is not quoted; the events have digests of that size. */
const OTHER_BANK_SIZE: NearMiss = {
  sends: 'a log whose header and events give SHA-1 32 bytes',
  breaks: READABLE,
  evidence: () =>
    booted({
      log: () => {
        const long = writeLogOf(FORM, EVENTS.map(withLongSha1))
        const at = Buffer.from(long).indexOf(Buffer.from([HASHES.sha1.alg, 0, 20, 0]))
        return long.with(at + 2, 32)
      },
    }),
}

function withLongSha1(event: UefiEvent): UefiEvent {
  return { ...event, digests: new Map(event.digests).set(HASHES.sha1.alg, filled(32, 0x5a)) }
}

/** An event whose digests are zeros, as firmware measures a failure to read something. */
function zeros(): UefiEvent {
  return { ...locality(0), pcr: 1, type: EV.PLATFORM_CONFIG_FLAGS, data: text('x') }
}

/** It extends its PCR like any other event. */
const ZEROS: readonly NearMiss[] = [
  {
    sends: 'a log with an event of zeros that extended nothing',
    breaks: REPLAYS,
    evidence: () => booted({ events: (events) => [...events, zeros()], quoted: fromZeros }),
  },
  {
    sends: 'a log with an event of zeros',
    evidence: () => booted({ events: (events) => [...events, zeros()] }),
  },
]

/** Bytes of an event with digests of SHA-1 and SHA-256. */
function lengthInLog({ data }: (typeof EVENTS)[number]): number {
  return 4 + 4 + 4 + (2 + 20) + (2 + 32) + 4 + data.length
}

/** Evidence of a machine that measured nothing. */
const NOTHING: readonly NearMiss[] = [{}, { boot_log: '' }].map((log) => ({
  sends: `PCRs of zeros with ${'boot_log' in log ? 'an empty log' : 'no log'}`,
  breaks: 'VER-EVIDENCE-BOOT-LOG-NEEDED',
  evidence: () => {
    const { boot_log: _, ...evidence } = booted({ events: () => [] })
    return { ...evidence, ...log }
  },
}))

/** A quote of SHA-256 and SHA-1; the digests of SHA-1 in the log may be others or missing. */
function twoBanks(says: string, options: Parameters<typeof booted>[0], breaks?: string): NearMiss {
  const further = { bank: 'sha1', values: replayEvents(EVENTS, 'sha1', BOOT_PCRS) } as const
  return {
    sends: `a quote of two banks, with a log ${says}`,
    forms: ['several-banks'],
    ...(breaks && { breaks }),
    evidence: () => booted({ further, ...options }),
  }
}

function withOtherSha1(event: UefiEvent): UefiEvent {
  if (event.pcr !== 4) return event
  return { ...event, digests: new Map(event.digests).set(HASHES.sha1.alg, filled(20, 0x5a)) }
}

const BANKS: readonly NearMiss[] = [
  twoBanks('that leads to both', {}),
  twoBanks(
    'that leads to the values of SHA-256 alone',
    { events: (events) => events.map(withOtherSha1) },
    REPLAYS,
  ),
  twoBanks(
    'that has digests of SHA-256 alone',
    { log: () => writeLogOf({ form: 'crypto-agile', banks: ['sha256'] }, EVENTS) },
    'VER-EVIDENCE-BOOT-BANK',
  ),
]

/** grub runs a command twice. */
const REPEATED: NearMiss = {
  sends: 'a log with the same event of PCR 8 twice',
  evidence: () => booted({ events: doubled(({ pcr }) => pcr === 8) }),
}

export const BOOT_REPLAY: NearMissGroup = {
  id: 'boot-replay',
  title: 'The verifier compares every PCR of a boot with its log, which it reads to the end',
  needs: ['uefi_log', 'measured_boot'],
  rows: [
    { sends: 'a log that leads to the quoted PCRs', evidence: () => booted() },
    REPEATED,
    ...VALUES,
    ...NOTHING,
    ...LEFT_OUT,
    ...UNNAMED,
    EMPTY,
    ...LACKING,
    ...BYTES,
    ...LOCALITIES,
    NO_ROOT,
    ...BANK_SIZES,
    OTHER_BANK_SIZE,
    ...ZEROS,
    ...BANKS,
    { sends: 'a log that leads to the quoted PCRs again', evidence: () => booted() },
  ],
}
