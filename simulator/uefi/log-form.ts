import { Cursor } from '../tpm/cursor.ts'
import { BANKS, type Bank, HASHES } from '../tpm/hash.ts'
import { cat, filled, u32le } from '../tpm/write.ts'
import { parseUefiLog, specIdEvent, type UefiEvent, writeUefiLog } from './log.ts'

/** The format of a firmware log. */
export interface LogForm {
  /** TCG 1.2 has one bank; the crypto-agile format has one digest for each. */
  readonly form: 'crypto-agile' | 'sha1'
  readonly banks: readonly Bank[]
}

/** TCG_PCClientPCREvent: the format of TCG 1.2, with a SHA-1 digest only. */
export function writeSha1Event({ pcr, type, digests, data }: UefiEvent): Uint8Array {
  const sha1 = digests.get(HASHES.sha1.alg) ?? filled(HASHES.sha1.size)
  return cat(u32le(pcr), u32le(type), sha1, u32le(data.length), data)
}

/** Returns the event with the digests of these banks. */
function inBanks(event: UefiEvent, banks: readonly Bank[]): UefiEvent {
  const kept = banks.flatMap((bank) => {
    const value = event.digests.get(HASHES[bank].alg)
    return value === undefined ? [] : [[HASHES[bank].alg, value] as const]
  })
  return { ...event, digests: new Map(kept) }
}

/** Returns the log that a firmware with this format writes for its events. */
export function writeLogOf({ form, banks }: LogForm, events: readonly UefiEvent[]): Uint8Array {
  if (form === 'sha1') return cat(...events.map(writeSha1Event))
  const shown = events.map((event) => inBanks(event, banks))
  return writeUefiLog({ header: specIdEvent(banks), events: shown, leftover: filled(0) })
}

const SPEC_ID = 'Spec ID Event03\0'
const DATA_AT = 32

/** Whether a log begins with the header of the crypto-agile format. */
function isCryptoAgile(bytes: Uint8Array): boolean {
  return (
    Buffer.from(bytes.subarray(DATA_AT, DATA_AT + SPEC_ID.length)).toString('latin1') === SPEC_ID
  )
}

/** Returns the format of a complete log. */
export function formOf(bytes: Uint8Array): LogForm {
  if (!isCryptoAgile(bytes)) return { form: 'sha1', banks: ['sha1'] }
  const { algorithms } = parseUefiLog(bytes)
  return { form: 'crypto-agile', banks: BANKS.filter((bank) => algorithms.has(HASHES[bank].alg)) }
}

/** Returns the events of a log in the format of TCG 1.2 up to a cut. */
function parseSha1Log(bytes: Uint8Array): readonly UefiEvent[] {
  const cursor = new Cursor(bytes, 'UEFI log')
  const events: UefiEvent[] = []
  try {
    while (cursor.left > 0) {
      const [pcr, type, sha1] = [cursor.u32le(), cursor.u32le(), cursor.take(HASHES.sha1.size)]
      const digests = new Map([[HASHES.sha1.alg, sha1] as const])
      events.push({ pcr, type, digests, data: cursor.take(cursor.u32le()) })
    }
  } catch {
    return events
  }
  return events
}

/** Returns the events of a log of either format, without its header. */
export function eventsIn(bytes: Uint8Array): readonly UefiEvent[] {
  return isCryptoAgile(bytes) ? readableEvents(bytes) : parseSha1Log(bytes)
}

function readableEvents(bytes: Uint8Array): readonly UefiEvent[] {
  try {
    return parseUefiLog(bytes).events
  } catch {
    return []
  }
}

/** Returns the number of events of a log, including a header. */
export function countEvents(bytes: Uint8Array): number {
  return eventsIn(bytes).length + (isCryptoAgile(bytes) ? 1 : 0)
}
