import { type Bank, HASHES } from '../tpm/hash.ts'
import { cat, filled, join, text, u8, u16le, u32le } from '../tpm/write.ts'
import { EV } from './event-types.ts'
import { parseUefiLog, type UefiEvent, writeUefiEvent } from './log.ts'

/** Fields of the specification header; counts and sizes are correct by default. */
interface HeaderOverrides {
  readonly signature?: Uint8Array
  readonly version?: readonly [major: number, minor: number]
  readonly uintnSize?: number
  readonly algorithms?: readonly (readonly [alg: number, size: number])[]
  readonly algorithmCount?: number
  readonly vendorInfo?: Uint8Array
  readonly vendorInfoSize?: number
  readonly pcr?: number
  readonly eventSize?: number
}

const SIGNATURE = text('Spec ID Event03\0')

/** Algorithm numbers and digest sizes of banks. */
export function statedBanks(banks: readonly Bank[]): readonly (readonly [number, number])[] {
  return banks.map((bank) => [HASHES[bank].alg, HASHES[bank].size] as const)
}

/** TCG_EfiSpecIDEvent (PFP 10.4.5.1). */
function specIdData(overrides: HeaderOverrides): Uint8Array {
  const { signature = SIGNATURE, version: [major, minor] = [2, 0], uintnSize = 2 } = overrides
  const { algorithms = [], vendorInfo = filled(0) } = overrides
  return cat(
    ...[signature, u32le(0), u8(minor), u8(major), u8(2), u8(uintnSize)],
    u32le(overrides.algorithmCount ?? algorithms.length),
    ...algorithms.map(([alg, size]) => cat(u16le(alg), u16le(size))),
    ...[u8(overrides.vendorInfoSize ?? vendorInfo.length), vendorInfo],
  )
}

/** Returns the header as the first event of a log. */
export function headerBytes(overrides: HeaderOverrides): Uint8Array {
  const data = specIdData(overrides)
  const size = overrides.eventSize ?? data.length
  return cat(u32le(overrides.pcr ?? 0), u32le(EV.NO_ACTION), filled(20), u32le(size), data)
}

/** Fields of an event as written; counts and sizes are correct by default. */
export interface EventOverrides {
  readonly event: UefiEvent
  readonly digests?: readonly (readonly [alg: number, digest: Uint8Array])[]
  readonly digestCount?: number
  readonly size?: number
}

/** Returns a TCG_PCR_EVENT2 with some invalid fields. */
export function eventBytes({
  event,
  digests = [...event.digests],
  ...overrides
}: EventOverrides): Uint8Array {
  return cat(
    u32le(event.pcr),
    u32le(event.type),
    u32le(overrides.digestCount ?? digests.length),
    ...digests.map(([alg, value]) => cat(u16le(alg), value)),
    u32le(overrides.size ?? event.data.length),
    event.data,
  )
}

type Edit = (bytes: Uint8Array) => Uint8Array

/** Replaces the header of a log; it states the same banks by default. */
export function otherHeader(overrides: HeaderOverrides): Edit {
  return (bytes) => {
    const { algorithms, events } = parseUefiLog(bytes)
    return cat(
      headerBytes({ algorithms: [...algorithms], ...overrides }),
      join(events.map(writeUefiEvent)),
    )
  }
}

/** Edits the events of a log; header and banks stay. */
export function otherEvents(edit: (events: readonly UefiEvent[]) => readonly UefiEvent[]): Edit {
  return (bytes) => {
    const { algorithms, events } = parseUefiLog(bytes)
    return cat(headerBytes({ algorithms: [...algorithms] }), join(edit(events).map(writeUefiEvent)))
  }
}

/** Rewrites the first event that `find` matches. */
export function rewritten(
  find: (event: UefiEvent) => boolean,
  write: (event: UefiEvent) => Uint8Array,
): Edit {
  return (bytes) => {
    const { algorithms, events } = parseUefiLog(bytes)
    const at = events.findIndex(find)
    const written = events.map((event, index) =>
      index === at ? write(event) : writeUefiEvent(event),
    )
    return cat(headerBytes({ algorithms: [...algorithms] }), join(written))
  }
}

/** Returns the offset of each event of a crypto-agile log, and of its end. */
export function boundaries(bytes: Uint8Array): readonly number[] {
  const { events, header } = parseUefiLog(bytes)
  const starts = [32 + header.length]
  for (const event of events) starts.push((starts.at(-1) ?? 0) + writeUefiEvent(event).length)
  return starts
}

/** Matches events of this type in this PCR. */
export function ofType(pcr: number, type: number): (event: UefiEvent) => boolean {
  return (event) => event.pcr === pcr && event.type === type
}
