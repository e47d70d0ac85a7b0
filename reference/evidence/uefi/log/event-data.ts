import { equalBytes } from '../../../bytes/equal.ts'
import { Reader } from '../../../bytes/reader.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import type { HashAlgorithm } from '../../../tpm/algorithms.ts'
import { digestOf } from '../../../tpm/digest.ts'
import { dataForms, type KnownData, type Reading } from './data-forms.ts'
import { eventTypeName } from './event-types.ts'
import type { BootEvent } from './parse-log.ts'
import type { WorkaroundName } from './workarounds.ts'

/**
 * Data of an event. Replay proves digests, not types or data: the data is `known` only if the digest is that
 * of its data. `opaque` data may say anything; `invalid` data does not have the form that its type asks for.
 * None of the three may be skipped: the boot policy decides about each.
 */
type EventData =
  | {
      readonly kind: 'known'
      readonly raw: Uint8Array
      readonly value: KnownData
      readonly workaround?: WorkaroundName
    }
  | { readonly kind: 'opaque'; readonly raw: Uint8Array }
  | { readonly kind: 'invalid'; readonly raw: Uint8Array; readonly why: string }

/** An event with its data decoded, as far as the digest of one bank covers it. */
export interface ReadEvent extends BootEvent {
  readonly data: EventData
  /** digest in the bank that was quoted */
  readonly digest: Uint8Array
}

const NOTHING = new Uint8Array()

/** Reads the data of an event by its type and by its digest in one bank. */
export function readEventData(event: BootEvent, bank: HashAlgorithm): ReadEvent {
  const { number, pcr, untrustedType, digests, raw } = event
  const digest = digests.get(bank.name) ?? NOTHING
  const data = dataOf(event, bank, digest)
  return { number, pcr, untrustedType, digests, raw, digest, data }
}

function dataOf(event: BootEvent, bank: HashAlgorithm, digest: Uint8Array): EventData {
  const { raw } = event
  const name = eventTypeName(event.untrustedType)
  const form = name && dataForms.get(name)
  if (!form) return { kind: 'opaque', raw }
  try {
    const found = form.readings.find((each) => covers(each, raw, bank, digest))
    if (found) return known(event, found)
    if (raw.length > 0) form.check?.(readerOf(event, raw))
    return { kind: 'opaque', raw }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { kind: 'invalid', raw, why: error.message }
  }
}

function covers(
  { covered }: Reading,
  raw: Uint8Array,
  bank: HashAlgorithm,
  digest: Uint8Array,
): boolean {
  const bytes = covered(raw)
  return bytes !== undefined && equalBytes(digestOf(bank, bytes), digest)
}

function known(event: BootEvent, { read, seen, workaround }: Reading): EventData {
  const { raw } = event
  const reader = readerOf(event, seen?.(raw) ?? raw)
  const value = read(reader)
  reader.finish()
  return { kind: 'known', raw, value, ...(workaround && { workaround }) }
}

function readerOf({ number }: BootEvent, bytes: Uint8Array): Reader {
  return new Reader(bytes, `LOG[${number}].event`, 'little')
}
