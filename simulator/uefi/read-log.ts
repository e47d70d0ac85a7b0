import { Cursor, ShortRead } from '../tpm/cursor.ts'
import { HASHES } from '../tpm/hash.ts'

/** A digest of an event, with its offset in the log. */
interface LocatedDigest {
  /** TPM_ALG_ID. */
  readonly alg: number
  readonly offset: number
  readonly value: Uint8Array
}

/** An event and its position; numbered from 1, including a header. */
export interface LocatedEvent {
  readonly number: number
  readonly offset: number
  readonly length: number
  /** PCR of a TPM; in the log of a confidential guest the number of a register. */
  readonly pcr: number
  readonly type: number
  readonly digests: readonly LocatedDigest[]
  readonly dataOffset: number
  readonly data: Uint8Array
}

/** Fields of the header of a crypto-agile log. */
interface LogHeader {
  readonly version: string
  /** TPM_ALG_ID and size of its digests, in order. */
  readonly algorithms: readonly (readonly [alg: number, size: number])[]
  readonly vendorInfo: Uint8Array
}

/** A log up to its first invalid byte. */
export interface ReadLog {
  /** Undefined for a log of TCG 1.2, which has none. */
  readonly header: LogHeader | undefined
  readonly events: readonly LocatedEvent[]
  /** Number of zero or one bytes after the last event. */
  readonly padding: number
  /** Where reading stopped, and why. */
  readonly broken:
    | { readonly offset: number; readonly path: string; readonly why: string }
    | undefined
}

const SPEC_ID = 'Spec ID Event03\0'
const EV_NO_ACTION = 3
const VERSIONS_AT = 20

function readHeader(data: Uint8Array, dataOffset: number): LogHeader {
  const cursor = new Cursor(data, 'Spec ID event', VERSIONS_AT)
  const [minor, major, errata] = [cursor.u8(), cursor.u8(), cursor.u8()]
  cursor.u8()
  const at = dataOffset + cursor.offset
  const count = cursor.named('numberOfAlgorithms').u32le()
  if (count * 4 > cursor.left)
    throw new BrokenLog(at, 'numberOfAlgorithms', `${count} algorithms do not fit into the header`)
  const algorithms = Array.from({ length: count }, () => [cursor.u16le(), cursor.u16le()] as const)
  const vendorInfo = cursor.named('vendorInfo').take(cursor.named('vendorInfoSize').u8())
  return { version: `${major}.${minor} errata ${errata}`, algorithms, vendorInfo }
}

/** Thrown at the first invalid byte of a log. */
class BrokenLog extends Error {
  override readonly name = 'BrokenLog'
  readonly offset: number
  readonly path: string

  constructor(offset: number, path: string, why: string) {
    super(why)
    this.offset = offset
    this.path = path
  }
}

function readData(cursor: Cursor): Pick<LocatedEvent, 'dataOffset' | 'data'> {
  const size = cursor.named('eventSize').u32le()
  const dataOffset = cursor.offset
  return { dataOffset, data: cursor.named('event').take(size) }
}

/** TCG_PCClientPCREvent: one SHA-1 digest. */
function readOldEvent(cursor: Cursor, number: number): LocatedEvent {
  const offset = cursor.offset
  const [pcr, type] = [cursor.named('pcrIndex').u32le(), cursor.named('eventType').u32le()]
  const at = cursor.offset
  const value = cursor.named('digest').take(HASHES.sha1.size)
  const digests = [{ alg: HASHES.sha1.alg, offset: at, value }]
  const rest = readData(cursor)
  return { number, offset, length: cursor.offset - offset, pcr, type, digests, ...rest }
}

/** TPM_ALG_ID -> bytes of its digests, as the header states them. */
type DigestSizes = ReadonlyMap<number, number>

/** TCG_PCR_EVENT2: a digest for each algorithm, whose length only the header states. */
function readEvent(cursor: Cursor, number: number, sizes: DigestSizes): LocatedEvent {
  const offset = cursor.offset
  const [pcr, type] = [cursor.named('pcrIndex').u32le(), cursor.named('eventType').u32le()]
  const at = cursor.offset
  const count = cursor.named('digests.count').u32le()
  if (count > sizes.size)
    throw new BrokenLog(
      at,
      `[${number}].digests.count`,
      `${count} digests, and the header states ${sizes.size} algorithms`,
    )
  const digests = Array.from({ length: count }, (_, index) =>
    readDigest(cursor, sizes, `[${number}].digests[${index}]`),
  )
  const rest = readData(cursor)
  return { number, offset, length: cursor.offset - offset, pcr, type, digests, ...rest }
}

function readDigest(cursor: Cursor, sizes: DigestSizes, path: string): LocatedDigest {
  const at = cursor.offset
  const alg = cursor.named('algorithm').u16le()
  const size = sizes.get(alg)
  if (size === undefined) {
    const name = `0x${alg.toString(16).padStart(4, '0')}`
    throw new BrokenLog(
      at,
      path,
      `the header does not state algorithm ${name}, so the length of its digest is unknown`,
    )
  }
  const offset = cursor.offset
  return { alg, offset, value: cursor.named('digest').take(size) }
}

/** Finds the zeros or ones at the end of a log: no event has such a PCR and type. */
function endOf(bytes: Uint8Array): (offset: number) => boolean {
  const runs = [0, 0xff].map((fill) => bytes.findLastIndex((byte) => byte !== fill) + 1)
  return (offset) => runs.some((from) => offset >= from)
}

interface Reading {
  header: LogHeader | undefined
  readonly events: LocatedEvent[]
}

function isHeader({ type, data }: LocatedEvent): boolean {
  const signature = Buffer.from(data.subarray(0, SPEC_ID.length)).toString('latin1')
  return type === EV_NO_ACTION && signature === SPEC_ID
}

function readAll(cursor: Cursor, reading: Reading, isEnd: (offset: number) => boolean): void {
  // Computed once per log: a header may state tens of thousands of algorithms, and as many events may follow.
  let sizes: DigestSizes | undefined
  while (cursor.left > 0 && !isEnd(cursor.offset)) {
    const number = reading.events.length + 1
    const event =
      sizes === undefined ? readOldEvent(cursor, number) : readEvent(cursor, number, sizes)
    reading.events.push(event)
    if (number !== 1 || !isHeader(event)) continue
    reading.header = readHeader(event.data, event.dataOffset)
    sizes = new Map(reading.header.algorithms)
  }
}

/**
 * Reads a log of TCG 1.2 or 2.0, of a TPM or a confidential guest, up to its first invalid byte; does not interpret
 * the event data. Zeros or ones may follow the last event. Never throws.
 */
export function readLog(bytes: Uint8Array): ReadLog {
  const cursor = new Cursor(bytes, 'event log')
  const reading: Reading = { header: undefined, events: [] }
  const done = (broken?: ReadLog['broken']): ReadLog => {
    const last = reading.events.at(-1)
    const end = last === undefined ? 0 : last.offset + last.length
    const padding = broken === undefined ? bytes.length - end : 0
    return { ...reading, padding, broken }
  }
  try {
    readAll(cursor, reading, endOf(bytes))
    return done()
  } catch (error) {
    return done(brokenBy(error, reading.events.length + 1))
  }
}

function brokenBy(error: unknown, number: number): ReadLog['broken'] {
  if (error instanceof BrokenLog) {
    return { offset: error.offset, path: error.path, why: error.message }
  }
  if (!(error instanceof ShortRead)) throw error
  const why = `${error.wanted} byte(s) are wanted here, and only ${error.there} left`
  return { offset: error.offset, path: `[${number}].${error.path}`, why }
}
