import { BANKS, digest, HASHES } from '../tpm/hash.ts'
import type { UefiEvent } from '../uefi/log.ts'
import { eventOf, type Measurement } from '../uefi/measured-event.ts'
import { ALL_BANKS } from '../uefi/profiles/profile.ts'
import type { EditEvents } from './scripted-boot.ts'

/** The event with other data, measured as it is. */
export function remeasured(event: UefiEvent, data: Uint8Array): UefiEvent {
  const digests = BANKS.map((bank) => [HASHES[bank].alg, digest(bank, data)] as const)
  return { ...event, data, digests: new Map(digests) }
}

/** A further measurement in front of the first event that `before` finds; behind the last where it finds none. */
export function inserted(
  measured: Measurement,
  before: (event: UefiEvent) => boolean = () => false,
): EditEvents {
  return (events) => {
    const at = events.findIndex(before)
    return events.toSpliced(at === -1 ? events.length : at, 0, eventOf(measured, ALL_BANKS))
  }
}

/** The first event that is found, changed. */
export function changed(
  find: (event: UefiEvent) => boolean,
  change: (event: UefiEvent) => UefiEvent,
): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    return events.map((event, index) => (index === at ? change(event) : event))
  }
}

/** Without the first event that is found. */
export function without(find: (event: UefiEvent) => boolean): EditEvents {
  return (events) => events.toSpliced(events.findIndex(find), 1)
}

/** The first event that is found, and the one behind it, in the other order. */
export function swapped(find: (event: UefiEvent) => boolean): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    const [one, other] = [events[at], events[at + 1]]
    return one && other ? events.toSpliced(at, 2, other, one) : events
  }
}

/** The first event that is found, twice. */
export function doubled(find: (event: UefiEvent) => boolean): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    return events.toSpliced(at, 0, ...events.slice(at, at + 1))
  }
}
