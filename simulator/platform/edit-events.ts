import { BANKS, digest, HASHES } from '../tpm/hash.ts'
import type { UefiEvent } from '../uefi/log.ts'
import { eventOf, type Measurement } from '../uefi/measured-event.ts'
import { ALL_BANKS } from '../uefi/profiles/profile.ts'
import type { EditEvents } from './scripted-boot.ts'

/** Returns the event with other data and the matching digest. */
export function remeasured(event: UefiEvent, data: Uint8Array): UefiEvent {
  const digests = BANKS.map((bank) => [HASHES[bank].alg, digest(bank, data)] as const)
  return { ...event, data, digests: new Map(digests) }
}

/** Inserts a measurement before the first event that `before` finds, or after the last event. */
export function inserted(
  measured: Measurement,
  before: (event: UefiEvent) => boolean = () => false,
): EditEvents {
  return (events) => {
    const at = events.findIndex(before)
    return events.toSpliced(at === -1 ? events.length : at, 0, eventOf(measured, ALL_BANKS))
  }
}

/** Changes the first matching event. */
export function changed(
  find: (event: UefiEvent) => boolean,
  change: (event: UefiEvent) => UefiEvent,
): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    return events.map((event, index) => (index === at ? change(event) : event))
  }
}

/** Removes the first matching event. */
export function without(find: (event: UefiEvent) => boolean): EditEvents {
  return (events) => events.toSpliced(events.findIndex(find), 1)
}

/** Swaps the first matching event and the next one. */
export function swapped(find: (event: UefiEvent) => boolean): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    const [one, other] = [events[at], events[at + 1]]
    return one && other ? events.toSpliced(at, 2, other, one) : events
  }
}

/** Duplicates the first matching event. */
export function doubled(find: (event: UefiEvent) => boolean): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    return events.toSpliced(at, 0, ...events.slice(at, at + 1))
  }
}
