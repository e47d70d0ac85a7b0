import { digest, HASHES } from '../../../simulator/tpm/hash.ts'
import { cat, equal, filled } from '../../../simulator/tpm/write.ts'
import { localityOf } from '../../../simulator/uefi/event-data.ts'
import { EV } from '../../../simulator/uefi/event-types.ts'
import { type LocatedEvent, readLog } from '../../../simulator/uefi/read-log.ts'

/** A measurement that the quoted PCRs prove: its PCR and its digest. No PCR proves its type and its data. */
export interface MeasuredEvent {
  readonly pcr: number
  readonly type: number
  readonly digest: Uint8Array
  readonly data: Uint8Array
  /** Whether the digest is that of the data, which then cannot be anything else. */
  readonly proven: boolean
}

/** What can be said of a firmware log for certain. */
export type BootReading =
  /** It cannot be read to its end, and what can be read gives the quoted PCRs: nothing is said of it. */
  | { readonly kind: 'unclear' }
  /** Its header names no digests of the quoted bank. */
  | { readonly kind: 'other bank' }
  /** It does not give the quoted PCRs. */
  | { readonly kind: 'unquoted' }
  | { readonly kind: 'quoted'; readonly events: readonly MeasuredEvent[] }

/** The bank that is quoted wherever firmware logs are mutated. */
const BANK = 'sha256'
/** PCRs that a reference state speaks of. */
const JUDGED_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14]

function digestIn({ digests }: LocatedEvent): Uint8Array | undefined {
  return digests.find(({ alg }) => alg === HASHES[BANK].alg)?.value
}

function isMeasurement({ type }: LocatedEvent): boolean {
  return type !== EV.NO_ACTION
}

/** Localities that a TPM may have been started from: the one that the log tells, or any that its events allow. */
function localities(events: readonly LocatedEvent[]): readonly number[] {
  const [told] = events.flatMap(({ type, data }) =>
    type === EV.NO_ACTION ? (localityOf(data) ?? []) : [],
  )
  const first = events.find((event) => event.pcr === 0 && isMeasurement(event))
  if (told !== undefined) return [told]
  return first?.type === EV.EFI_HCRTM_EVENT ? [0, 4] : [0]
}

function replayed(pcr: number, events: readonly LocatedEvent[], start: Uint8Array): Uint8Array {
  return events
    .filter((event) => event.pcr === pcr && isMeasurement(event))
    .reduce((value, event) => {
      const extended = digestIn(event)
      return extended === undefined ? value : digest(BANK, cat(value, extended))
    }, start)
}

/** Whether the log gives this value of a PCR, from one of the values that it may have begun with. */
function gives(pcr: number, events: readonly LocatedEvent[], quoted: Uint8Array): boolean {
  const starts = pcr === 0 ? localities(events) : [0]
  return starts.some((start) => equal(quoted, replayed(pcr, events, filled(32).with(-1, start))))
}

function measurement(event: LocatedEvent): readonly MeasuredEvent[] {
  const { pcr, type, data } = event
  const told = digestIn(event)
  if (told === undefined || !isMeasurement(event)) return []
  return [{ pcr, type, data, digest: told, proven: equal(told, digest(BANK, data)) }]
}

/** Reads a log that a quote of SHA-256 is to cover; `quoted` gives a PCR as claimed, undefined for one that is not. */
export function readBoot(
  bytes: Uint8Array,
  quoted: (pcr: number) => Uint8Array | undefined,
): BootReading {
  const { header, events, broken } = readLog(bytes)
  const states = header?.algorithms.some(([alg]) => alg === HASHES[BANK].alg)
  if (states === false && broken === undefined) return { kind: 'other bank' }
  const fits = JUDGED_PCRS.every((pcr) => {
    const value = quoted(pcr)
    return value === undefined || gives(pcr, events, value)
  })
  if (!fits) return { kind: 'unquoted' }
  return broken === undefined
    ? { kind: 'quoted', events: events.flatMap(measurement) }
    : { kind: 'unclear' }
}
