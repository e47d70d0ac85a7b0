import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import type { UefiEvent } from '../../../simulator/uefi/log.ts'
import { bootedWith } from '../baseline.ts'
import type { Mutation, MutationAt } from '../stages.ts'

export type Events = readonly UefiEvent[]
export type Head = Pick<MutationAt<'machine'>, 'id' | 'what' | 'breaks'>

/** The firmware measured other things, and tells of them truthfully. */
export function measured(
  head: Head,
  change: (events: Events, random: SeededRandom) => Events,
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) =>
      bootedWith(machine, mutated(machine.boot?.events ?? [], random, change)),
  }
}

/** What a change makes of a value that it can read; what an earlier mutation has left unreadable stays as it is. */
export function mutated<T>(
  value: T,
  random: SeededRandom,
  change: (value: T, random: SeededRandom) => T,
): T {
  try {
    return change(value, random)
  } catch (error) {
    if (error instanceof Error) return value
    throw error
  }
}

export function withData(event: UefiEvent, data: Uint8Array): UefiEvent {
  return { ...event, data }
}
