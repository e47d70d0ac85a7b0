import { toHex } from '../../../simulator/tpm/write.ts'
import { eventTypeName } from '../../../simulator/uefi/event-types.ts'
import { type ReadLog, readLog } from '../../../simulator/uefi/read-log.ts'
import type { Broken, Fact, Inspection, LogEvent, LogFacts } from '../inspection.ts'
import { brokenForm } from '../quote/inspect-quote.ts'
import type { PublishedPcrs } from '../quote/pcr-file.ts'
import type { Given } from '../read-given.ts'
import { algorithm, bytes } from '../show.ts'
import { collectWarnings } from '../warnings.ts'
import { LOG_PART, type SeenEvent, seeEvent, warnOfLog } from './event-warnings.ts'
import { readLogSource } from './eventlog-source.ts'
import { compareLogPcrs, replayEventlog, startupLocality } from './replay-eventlog.ts'

const ABOUT =
  'A firmware event log: the measurements before the start of the operating system, oldest first. Each event except EV_NO_ACTION extends its register (PCR), so replaying the log must give the values that a quote proves. The registers prove the digests; event data is only proven if the digest is computed over it.'

interface LogRequest {
  /** Number of events to show, from the first. */
  readonly entries: number
  readonly published?: PublishedPcrs | undefined
}

function presentEvent({ event, digestOf, says }: SeenEvent): LogEvent {
  const { number, offset, length, pcr, type, digests, dataOffset, data } = event
  return {
    number,
    offset,
    length,
    pcr,
    type: eventTypeName(type),
    digests: digests.map((one) => ({
      bank: algorithm(one.alg),
      offset: one.offset,
      value: toHex(one.value),
    })),
    digest_of: digestOf,
    data: { offset: dataOffset, length: data.length, raw: toHex(data) },
    says,
  }
}

function countTypes(seen: readonly SeenEvent[]): LogFacts['types'] {
  const counts = new Map<string, number>()
  for (const { event } of seen) {
    const name = eventTypeName(event.type)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, count }))
}

function banksOf({ header, events }: ReadLog): readonly string[] {
  if (header !== undefined) return header.algorithms.map(([alg]) => algorithm(alg))
  return events.length === 0 ? [] : ['sha1']
}

/** Registers of a guest are numbered from 1, so even the header event does not name PCR 0. */
function isOfGuest({ header, events }: ReadLog): boolean {
  return header !== undefined && events[0]?.pcr === 1
}

function logFacts(log: ReadLog, seen: readonly SeenEvent[], request: LogRequest): LogFacts {
  return {
    format: log.header === undefined ? 'tcg-1.2' : 'tcg-2.0',
    of: isOfGuest(log) ? 'guest' : 'tpm',
    banks: banksOf(log),
    events: log.events.length,
    types: countTypes(seen),
    locality: startupLocality(log.events),
    padding: log.padding,
    replay: replayEventlog(log.events, request.published),
    shown: seen.slice(0, request.entries).map(presentEvent),
  }
}

function factsOf({ header }: ReadLog, log: LogFacts): readonly Fact[] {
  const form =
    header === undefined
      ? 'TCG 1.2, SHA-1 digests without a header'
      : `TCG ${header.version}, crypto-agile${log.of === 'guest' ? ', of a confidential guest' : ''}`
  const vendor = header?.vendorInfo.length ?? 0
  return [
    { name: 'format', value: form },
    { name: 'banks', value: log.banks.join(', ') || 'none' },
    { name: 'events', value: String(log.events) },
    { name: 'locality', value: `${log.locality}: initial value of PCR 0` },
    ...(vendor > 0
      ? [{ name: 'vendor', value: `${bytes(vendor)} of vendor information in the header` }]
      : []),
  ]
}

const NO_EVENTS = 'there are no events: nothing was measured, or this is not an event log'

function brokenIn({ broken, events }: ReadLog): readonly Broken[] {
  if (broken !== undefined) return [{ part: LOG_PART, ...broken }]
  return events.length > 0 ? [] : [{ part: LOG_PART, offset: 0, path: '', why: NO_EVENTS }]
}

/** Decodes an event log, replays it in every bank, and compares the result with published PCR values. */
export function inspectEventlog(given: Given, request: LogRequest): Inspection {
  const source = readLogSource(given)
  const warnings = collectWarnings()
  const log = readLog(source.blob.bytes)
  const seen = log.events.map(seeEvent)
  warnOfLog(seen, log, warnings)
  const eventlog = logFacts(log, seen, request)
  if (eventlog.of === 'guest') {
    const says = 'the header event has register 1'
    warnings.add('guest-registers', { part: LOG_PART, offset: 0, path: 'event 1', says })
  }
  const around = source.broken.map(({ offset, why }) => ({ part: 'text', offset, path: '', why }))
  return {
    kind: 'eventlog',
    about: ABOUT,
    sources: [{ file: given.file, form: source.form, length: given.bytes.length }],
    facts: factsOf(log, eventlog),
    parts: [],
    comparisons: compareLogPcrs(eventlog.replay, request.published),
    broken: [
      ...around,
      ...brokenForm(LOG_PART, source.blob, warnings),
      ...(around.length > 0 ? [] : brokenIn(log)),
    ],
    warnings: warnings.list(),
    ima: null,
    eventlog,
    policy: null,
  }
}
