import { createHash } from 'node:crypto'
import { concat } from '../../../bytes/writer.ts'

/** An event as the model reads and writes it. */
export interface ModelEvent {
  readonly pcr: number
  readonly type: number
  /** TPM_ALG_ID and value, in the order of the log */
  readonly digests: readonly (readonly [alg: number, value: Uint8Array])[]
  readonly data: Uint8Array
}

/** A crypto-agile log. */
export interface ModelLog {
  readonly algorithms: readonly (readonly [alg: number, size: number])[]
  readonly events: readonly ModelEvent[]
}

export const SHA1 = 4
export const SHA256 = 11
const NO_ACTION = 3
const SPEC_ID = 'Spec ID Event03\0'

export function le(value: number, bytes: 1 | 2 | 4 | 8): Uint8Array {
  const out = Buffer.alloc(bytes)
  if (bytes === 8) out.writeBigUInt64LE(BigInt(value))
  else out.writeUIntLE(value, 0, bytes)
  return new Uint8Array(out)
}

export function sha(data: Uint8Array, algorithm = 'sha256'): Uint8Array {
  return new Uint8Array(createHash(algorithm).update(data).digest())
}

export function writeModelLog({ algorithms, events }: ModelLog): Uint8Array {
  const header = concat(
    Buffer.from(SPEC_ID),
    le(0, 4),
    Uint8Array.of(0, 2, 0, 2),
    le(algorithms.length, 4),
    ...algorithms.flatMap(([alg, size]) => [le(alg, 2), le(size, 2)]),
    le(0, 1),
  )
  const first = [le(0, 4), le(NO_ACTION, 4), new Uint8Array(20), le(header.length, 4), header]
  return concat(...first, ...events.map(writeModelEvent))
}

export function writeModelEvent({ pcr, type, digests, data }: ModelEvent): Uint8Array {
  const values = digests.flatMap(([alg, value]) => [le(alg, 2), value])
  return concat(
    ...[le(pcr, 4), le(type, 4), le(digests.length, 4), ...values],
    ...[le(data.length, 4), data],
  )
}

/** The whole of a log, with or without a header, or undefined where it does not fit; zeros or ones may follow. */
export function readModelLog(bytes: Uint8Array): ModelLog | undefined {
  try {
    return readLog(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  } catch {
    return undefined
  }
}

function readLog(bytes: Buffer): ModelLog | undefined {
  const isAgile =
    bytes.subarray(32, 48).toString('latin1') === SPEC_ID && bytes.readUInt32LE(4) === NO_ACTION
  const sizes: [number, number][] = []
  let at = 0
  if (isAgile) {
    const count = bytes.readUInt32LE(56)
    if (count > 16) return undefined
    for (let each = 0; each < count; each++)
      sizes.push([bytes.readUInt16LE(60 + 4 * each), bytes.readUInt16LE(62 + 4 * each)])
    at = 32 + bytes.readUInt32LE(28)
  }
  const events: ModelEvent[] = []
  while (at < bytes.length && !isFilled(bytes.subarray(at))) {
    const [event, next] = readEvent(bytes, at, isAgile ? new Map(sizes) : undefined)
    events.push(event)
    at = next
  }
  return { algorithms: isAgile ? sizes : [[SHA1, 20]], events }
}

function isFilled(rest: Buffer): boolean {
  return rest.every((byte) => byte === 0) || rest.every((byte) => byte === 0xff)
}

function readEvent(
  bytes: Buffer,
  from: number,
  sizes: ReadonlyMap<number, number> | undefined,
): readonly [ModelEvent, number] {
  const digests: [number, Uint8Array][] = []
  let at = from + 8
  if (sizes === undefined) digests.push([SHA1, slice(bytes, at, 20)])
  at += sizes === undefined ? 20 : 4
  for (let left = sizes === undefined ? 0 : bytes.readUInt32LE(from + 8); left > 0; left--) {
    const alg = bytes.readUInt16LE(at)
    const size = sizes?.get(alg)
    if (size === undefined) throw new RangeError('an algorithm that was not announced')
    digests.push([alg, slice(bytes, at + 2, size)])
    at += 2 + size
  }
  const length = bytes.readUInt32LE(at)
  const data = slice(bytes, at + 4, length)
  const event = { pcr: bytes.readUInt32LE(from), type: bytes.readUInt32LE(from + 4), digests, data }
  return [event, at + 4 + length]
}

function slice(bytes: Buffer, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw new RangeError('cut')
  return new Uint8Array(bytes.subarray(at, at + length))
}

/** What a log leaves in the PCRs of the SHA-256 bank; undefined where an event has no digest of it. */
export function replayModel({ events }: ModelLog): ReadonlyMap<number, Uint8Array> | undefined {
  const values = new Map<number, Uint8Array>()
  const start = new Uint8Array(32)
  start[31] = localityOf(events)
  values.set(0, start)
  for (const { pcr, type, digests } of events) {
    if (type === NO_ACTION) continue
    const digest = digests.find(([alg]) => alg === SHA256)?.[1]
    if (!digest) return undefined
    values.set(pcr, sha(concat(values.get(pcr) ?? new Uint8Array(32), digest)))
  }
  return values
}

function localityOf(events: readonly ModelEvent[]): number {
  const saying = events.find(
    ({ pcr, type, data }) =>
      pcr === 0 &&
      type === NO_ACTION &&
      Buffer.from(data).toString('latin1').startsWith('StartupLocality\0'),
  )
  if (saying) return saying.data[16] ?? 0
  const first = events.find(({ pcr, type }) => pcr === 0 && type !== NO_ACTION)
  return first?.type === 0x80000010 && Buffer.from(first.data).toString() === 'HCRTM' ? 4 : 0
}
