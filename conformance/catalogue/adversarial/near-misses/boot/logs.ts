import { HASHES } from '../../../../../simulator/tpm/hash.ts'
import { cat, filled, text } from '../../../../../simulator/tpm/write.ts'
import { startupLocality } from '../../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import { parseUefiLog, type UefiEvent } from '../../../../../simulator/uefi/log.ts'
import { writeLogOf } from '../../../../../simulator/uefi/log-form.ts'
import {
  type EventOverrides,
  eventBytes,
  headerBytes,
  ofType,
  rewritten,
} from '../../../../../simulator/uefi/log-overrides.ts'
import {
  eventOf,
  type Measurement,
  measures,
} from '../../../../../simulator/uefi/measured-event.ts'
import { replayEvents } from '../../../../../simulator/uefi/replay-log.ts'
import { EVENTS } from '../../../../../simulator/vectors/uefi/log-evidence.ts'
import type { Members, NearMiss, NearMissGroup } from '../near-miss.ts'
import { BOOT_PCRS, booted, FORM } from './evidence.ts'

const of = (measured: Measurement) => eventOf(measured, FORM.banks)

const LOCALITY = 3
const BEGUN = [of(measures(0, 'NO_ACTION', startupLocality(LOCALITY))), ...EVENTS]
const valuesOf = (bank: 'sha1' | 'sha256', locality = LOCALITY) =>
  replayEvents(EVENTS, bank, BOOT_PCRS, locality)

/** A boot that its log begins in locality 3; the TPM may have begun in another one. */
function begun(options: Parameters<typeof booted>[0], locality = LOCALITY): Members {
  return booted({
    ...{ events: () => BEGUN, quoted: () => valuesOf('sha256', locality) },
    ...options,
  })
}

const otherOrder = () => writeLogOf({ form: 'crypto-agile', banks: ['sha256', 'sha1'] }, BEGUN)

/** The locality is part of PCR 0 in every bank (PFP 3.3.1), wherever the header lists the bank. */
const LOCALITIES: readonly NearMiss[] = [
  {
    sends: 'a log that lists SHA-256 first and begins in locality 3',
    evidence: () => begun({ log: otherOrder }),
  },
  {
    sends: 'a log that lists SHA-256 first and begins in locality 3 although the TPM began in 0',
    breaks: 'VER-EVIDENCE-BOOT-REPLAYS',
    evidence: () => begun({ log: otherOrder }, 0),
  },
  {
    sends: 'a quote of two banks, with a log that begins in locality 3',
    forms: ['several-banks'],
    evidence: () => begun({ further: { bank: 'sha1', values: valuesOf('sha1') } }),
  },
  {
    sends: 'a quote of two banks, of which SHA-1 began in locality 0, with a log that begins in 3',
    breaks: 'VER-EVIDENCE-BOOT-REPLAYS',
    forms: ['several-banks'],
    evidence: () => begun({ further: { bank: 'sha1', values: valuesOf('sha1', 0) } }),
  },
]

/** A StartupLocality event counts before anything that was measured into PCR 0 (PFP 10.4.5.3). */
function behind(sends: string, earlier: (events: readonly UefiEvent[]) => readonly UefiEvent[]) {
  return {
    sends,
    evidence: () =>
      booted({
        events: (events) => {
          const first = earlier(events)
          const rest = events.filter((event) => !first.includes(event))
          return [...first, ...BEGUN.slice(0, 1), ...rest]
        },
        quoted: () => valuesOf('sha256'),
      }),
  }
}

/** A further measurement into PCR 0, under a policy that does not name what is in it. */
function measuredFirst(sends: string, data: Uint8Array): NearMiss {
  const first = of(measures(0, 'POST_CODE', data))
  return {
    sends,
    evidence: () =>
      booted({
        events: (events) => [first, ...events],
        policy: ({ scrtm_and_bios: _, ...others }) => others,
      }),
  }
}

const BEGINNINGS: readonly NearMiss[] = [
  behind('a log that says its locality behind an event that informs', () => [
    of(measures(0, 'NO_ACTION', text('informs'))),
  ]),
  behind('a log that says its locality behind a measurement into PCR 1', (events) =>
    events.filter(({ pcr }) => pcr === 1).slice(0, 1),
  ),
  // No digest covers a type, but what was extended is in the PCR.
  measuredFirst('a log with a measurement of the bytes that say a locality', startupLocality(3)),
  measuredFirst('a log with a measurement of the word HCRTM in a post code', text('HCRTM')),
]

/** The SHA-256 digest of an event and the length of its data, which precede the data. */
const BEFORE_DATA = 32 + 4

/** Logs in which 64 KiB are left at the data of the last event, or at its last digest. */
const LONG: readonly NearMiss[] = [0x10000, 0x10000 - BEFORE_DATA].flatMap((size) => {
  const last = of(measures(1, 'PLATFORM_CONFIG_FLAGS', filled(size, 0x41)))
  const events = () => [...EVENTS, last]
  return [
    { sends: `a log whose last event has ${size} bytes`, evidence: () => booted({ events }) },
    {
      sends: `a log whose last event has ${size} bytes, without the last of them`,
      breaks: 'VER-EVIDENCE-BOOT-READABLE',
      evidence: () => booted({ events, log: (log) => log.subarray(0, -1) }),
    },
  ]
})

/** The number of no algorithm. */
const UNKNOWN = 0x7fff
const SHA256 = HASHES.sha256.alg
const READABLE = 'VER-EVIDENCE-BOOT-READABLE'
const SEPARATOR = ofType(4, EV.SEPARATOR)

/** A log in which the separator of PCR 4 is written otherwise. */
function separatorAs(sends: string, of: (event: UefiEvent) => Partial<EventOverrides>): NearMiss {
  const log = rewritten(SEPARATOR, (event) => eventBytes({ event, ...of(event) }))
  return { sends, breaks: READABLE, evidence: () => booted({ log }) }
}

/** Each event has a digest more, before the others. */
function withUnknown(bytes: Uint8Array): Uint8Array {
  const { algorithms, events } = parseUefiLog(bytes)
  const further = [UNKNOWN, filled(32, 0x5a)] as const
  return cat(
    headerBytes({ algorithms: [[UNKNOWN, 32], ...algorithms] }),
    ...events.map((event) => eventBytes({ event, digests: [further, ...event.digests] })),
  )
}

/** Digests belong to the algorithm whose number they have, and there are as many as is said. */
const DIGESTS: readonly NearMiss[] = [
  {
    sends: 'a log with digests of SHA-256 alone',
    evidence: () =>
      booted({ log: () => writeLogOf({ form: 'crypto-agile', banks: ['sha256'] }, EVENTS) }),
  },
  {
    sends: 'a log that lists an unknown algorithm with digests of 32 bytes before SHA-256',
    evidence: () => booted({ log: withUnknown }),
  },
  separatorAs('a log with a digest of SHA-256 under the number of another algorithm', (event) => ({
    digests: [...event.digests].map(([alg, value]) => [alg === SHA256 ? UNKNOWN : alg, value]),
  })),
  separatorAs('a log with an event that counts 256 digests more than it has', ({ digests }) => ({
    digestCount: digests.size + 256,
  })),
]

export const BOOT_LOGS: NearMissGroup = {
  id: 'boot-logs',
  title: 'The verifier reads a boot log with its banks in any order, and one of more than 64 KiB',
  needs: ['uefi_log', 'measured_boot'],
  rows: [...LOCALITIES, ...BEGINNINGS, ...DIGESTS, ...LONG],
}
