import { type Bank, digest, HASHES } from '../tpm/hash.ts'
import { filled } from '../tpm/write.ts'
import { EV, type EventName } from './event-types.ts'
import type { UefiEvent } from './log.ts'

/** A measurement of a firmware, and its log data. */
export interface Measurement {
  readonly pcr: number
  readonly type: EventName
  readonly data: Uint8Array
  /** The hashed content if it is not the data: a file, a driver. */
  readonly content?: Uint8Array
}

/** Creates a measurement: PCR, type, data, and the hashed content if it is not the data. */
export function measures(
  pcr: number,
  type: EventName,
  data: Uint8Array,
  content?: Uint8Array,
): Measurement {
  return { pcr, type, data, ...(content && { content }) }
}

function digestOf(bank: Bank, { type, data, content }: Measurement): Uint8Array {
  return type === 'NO_ACTION' ? filled(HASHES[bank].size) : digest(bank, content ?? data)
}

/** Returns the event with its digests in these banks. */
export function eventOf(measured: Measurement, banks: readonly Bank[]): UefiEvent {
  const { pcr, type, data } = measured
  const digests = banks.map((bank) => [HASHES[bank].alg, digestOf(bank, measured)] as const)
  return { pcr, type: EV[type], digests: new Map(digests), data }
}
