import { bankOf, digest, HASHES } from '../../../simulator/tpm/hash.ts'
import { equal } from '../../../simulator/tpm/write.ts'
import { localityOf } from '../../../simulator/uefi/event-data.ts'
import { EV, eventTypeName } from '../../../simulator/uefi/event-types.ts'
import type { LocatedEvent, ReadLog } from '../../../simulator/uefi/read-log.ts'
import type { LogEvent, Place } from '../inspection.ts'
import { algorithm, safe } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'
import { type EventMeaning, explainEvent } from './event-meanings.ts'

export const LOG_PART = 'firmware log'

/** An event with its explanation; `problem` is set if its data does not have the form of its type. */
export interface SeenEvent extends EventMeaning {
  readonly event: LocatedEvent
  readonly digestOf: LogEvent['digest_of']
  readonly problem?: string
}

function isOf(bytes: Uint8Array, { digests }: LocatedEvent): boolean {
  const known = digests.flatMap(({ alg, value }) => {
    const bank = bankOf(alg)
    return bank === undefined || HASHES[bank].size !== value.length ? [] : [[bank, value] as const]
  })
  return known.length > 0 && known.every(([bank, value]) => equal(digest(bank, bytes), value))
}

function digestOf(event: LocatedEvent, hashed: EventMeaning['hashed']): LogEvent['digest_of'] {
  if (event.type === EV.NO_ACTION || event.digests.length === 0) return null
  if ((hashed ?? [event.data]).some((bytes) => isOf(bytes, event))) return 'data'
  return hashed === undefined ? 'content' : 'neither'
}

/** Explains an event and checks its digests against its data. */
export function seeEvent(event: LocatedEvent): SeenEvent {
  try {
    const meaning = explainEvent(event.type, event.data)
    return { ...meaning, event, digestOf: digestOf(event, meaning.hashed) }
  } catch (error) {
    const problem = safe((error as Error).message)
    return {
      says: 'malformed data',
      problem,
      event,
      digestOf: digestOf(event, undefined),
    }
  }
}

const LAST_PCR = 23
const NO_PCR = 0xffffffff
interface Before {
  /** PCRs that have a separator. */
  readonly separated: Set<number>
  measured: boolean
  located: boolean
}

/** Collects the warnings of one event. */
function warnOfEvent(
  seen: SeenEvent,
  before: Before,
  header: ReadLog['header'],
  warnings: Warnings,
): void {
  const { event, problem, warning } = seen
  const { pcr, type, digests } = event
  const place = (says: string, offset = event.offset): Place => ({
    part: LOG_PART,
    offset,
    path: `event ${event.number}`,
    says,
  })
  const named = `${eventTypeName(type)} in PCR ${pcr}`
  const warn = (id: WarningId, says: string, offset?: number) =>
    warnings.add(id, place(says, offset))
  if (problem !== undefined) warn('event-data', `${named}: ${problem}`, event.dataOffset)
  if (warning) warn(warning.id, `PCR ${pcr}: ${warning.says}`, event.dataOffset)
  if (seen.digestOf === 'neither') warn('event-digest', named, digests[0]?.offset)
  if (!eventTypeName(type).startsWith('EV_')) warn('event-type', named)
  if (pcr > LAST_PCR && !(pcr === NO_PCR && type === EV.NO_ACTION)) warn('event-pcr', named)
  if (header !== undefined && event.number > 1 && digests.length < header.algorithms.length)
    warn('event-bank', `${named} has ${digests.length} of ${header.algorithms.length} digests`)
  if (type === EV.NO_ACTION) warnOfInforming(event, before, warn)
  else if (type === EV.SEPARATOR && before.separated.has(pcr)) warn('separator-again', `PCR ${pcr}`)
}

function warnOfInforming(
  event: LocatedEvent,
  before: Before,
  warn: (id: WarningId, says: string, offset?: number) => void,
): void {
  const set = event.digests.filter(({ value }) => value.some((byte) => byte !== 0))
  if (set.length > 0) {
    const banks = set.map(({ alg }) => algorithm(alg)).join(', ')
    warn('informs-digest', `the digest of ${banks}`, set[0]?.offset)
  }
  if (localityOf(event.data) === undefined) return
  if (before.located || before.measured || event.pcr !== 0)
    warn(
      'locality-place',
      before.located ? 'repeated' : `in PCR ${event.pcr}${before.measured ? ', too late' : ''}`,
    )
}

/** Collects the warnings of a log. */
export function warnOfLog(
  seen: readonly SeenEvent[],
  { header, padding }: ReadLog,
  warnings: Warnings,
): void {
  const before: Before = { separated: new Set(), measured: false, located: false }
  for (const one of seen) {
    const { pcr, type, data } = one.event
    warnOfEvent(one, before, header, warnings)
    if (type === EV.SEPARATOR) before.separated.add(pcr)
    if (type !== EV.NO_ACTION && pcr === 0) before.measured = true
    if (type === EV.NO_ACTION && localityOf(data) !== undefined) before.located = true
  }
  const first = { part: LOG_PART, offset: 0, path: '' }
  if (header === undefined && seen.length > 0)
    warnings.add('sha1-log', { ...first, says: 'there is no header' })
  if (padding > 0) {
    const last = seen.at(-1)?.event
    const offset = last === undefined ? 0 : last.offset + last.length
    warnings.add('log-padding', { ...first, offset, says: `${padding} bytes` })
  }
}
