import { Cursor } from '../tpm/cursor.ts'
import { type Bank, bankOf, HASHES } from '../tpm/hash.ts'
import { cat, filled, text, u16le, u32le } from '../tpm/write.ts'

/** One event of a firmware log (TCG PC Client Platform Firmware Profile, clause 10). */
export interface UefiEvent {
  readonly pcr: number
  /** EV_…; EV_NO_ACTION is 3. */
  readonly type: number
  /** By TPM_ALG_ID, in the order of the log. */
  readonly digests: ReadonlyMap<number, Uint8Array>
  readonly data: Uint8Array
}

/** A crypto-agile log: the events after its specification header, and the bytes that are not an event. */
interface UefiLog {
  /** TPM_ALG_ID and digest length, as the header states them. */
  readonly algorithms: ReadonlyMap<number, number>
  /** The data of the first event: `Spec ID Event03` and the fields after it. */
  readonly header: Uint8Array
  readonly events: readonly UefiEvent[]
  /** Bytes from the first event that is truncated or uses an unstated algorithm. */
  readonly leftover: Uint8Array
}

/** Events of this type are informational and not extended. */
export const EV_NO_ACTION = 3

/** Bytes of the header before its number of algorithms: signature, platform class, versions, size of UINTN. */
const BEFORE_ALGORITHMS = 24

function readAlgorithms(header: Uint8Array): Map<number, number> {
  const cursor = new Cursor(header, 'Spec ID event', BEFORE_ALGORITHMS)
  const algorithms = new Map<number, number>()
  for (let count = cursor.u32le(); count > 0; count -= 1) {
    algorithms.set(cursor.u16le(), cursor.u16le())
  }
  return algorithms
}

/** Reads a TCG_PCR_EVENT2; undefined if it is invalid, as the offsets of all later events are unknown then. */
function readEvent(cursor: Cursor, algorithms: ReadonlyMap<number, number>): UefiEvent | undefined {
  const start = cursor.offset
  try {
    const [pcr, type] = [cursor.u32le(), cursor.u32le()]
    const digests = new Map<number, Uint8Array>()
    for (let count = cursor.u32le(); count > 0; count -= 1) {
      const alg = cursor.u16le()
      digests.set(alg, cursor.take(algorithms.get(alg) ?? Number.POSITIVE_INFINITY))
    }
    return { pcr, type, digests, data: cursor.take(cursor.u32le()) }
  } catch {
    cursor.offset = start
    return undefined
  }
}

/** Parses a crypto-agile log up to the first invalid event. Throws ShortRead if its header is incomplete. */
export function parseUefiLog(bytes: Uint8Array): UefiLog {
  const cursor = new Cursor(bytes, 'UEFI log')
  cursor.take(28) // pcrIndex, eventType and the SHA-1 digest of TCG_PCClientPCREvent
  const header = cursor.take(cursor.u32le())
  const algorithms = readAlgorithms(header)
  const events: UefiEvent[] = []
  while (cursor.left > 0) {
    const event = readEvent(cursor, algorithms)
    if (event === undefined) break
    events.push(event)
  }
  return { algorithms, header, events, leftover: cursor.rest() }
}

/** Returns the digests that a firmware extended for an event; none for EV_NO_ACTION. */
export function extendedDigests(event: UefiEvent): Partial<Record<Bank, Uint8Array>> {
  if (event.type === EV_NO_ACTION) return {}
  const named = [...event.digests].flatMap(([alg, value]) => {
    const bank = bankOf(alg)
    return bank === undefined ? [] : [[bank, value] as const]
  })
  return Object.fromEntries(named)
}

/** Returns TCG_PCR_EVENT2 bytes. */
export function writeUefiEvent(event: UefiEvent): Uint8Array {
  const digests = [...event.digests].map(([alg, value]) => cat(u16le(alg), value))
  return cat(
    u32le(event.pcr),
    u32le(event.type),
    u32le(digests.length),
    ...digests,
    u32le(event.data.length),
    event.data,
  )
}

/** Returns the `Spec ID Event03` data for banks, of a 64-bit PC client without vendor information. */
export function specIdEvent(banks: readonly Bank[]): Uint8Array {
  const algorithms = banks.map((bank) => cat(u16le(HASHES[bank].alg), u16le(HASHES[bank].size)))
  const versions = Uint8Array.of(0, 2, 0, 2)
  return cat(
    ...[text('Spec ID Event03'), filled(1), u32le(0), versions],
    ...[u32le(banks.length), ...algorithms, filled(1)],
  )
}

/** Returns a whole log: the header as the first event, then the events, then any leftover. */
export function writeUefiLog(log: Omit<UefiLog, 'algorithms'>): Uint8Array {
  const first = cat(u32le(0), u32le(EV_NO_ACTION), filled(20), u32le(log.header.length), log.header)
  return cat(first, ...log.events.map(writeUefiEvent), log.leftover)
}
