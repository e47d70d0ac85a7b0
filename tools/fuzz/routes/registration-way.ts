import { softEndorsementKey } from '../../../simulator/machine/soft-endorsement-key.ts'
import type { Bend } from '../encode.ts'
import type { VerdictOf } from '../findings/answer.ts'
import type { Contradiction } from '../oracle/contradictions.ts'
import type { Room } from '../room.ts'
import type { Members, Mutation } from '../stages.ts'

/** One thing that is bent of a registration, and what is said of the answer. */
export interface RegistrationWay {
  readonly mutations: readonly Mutation[]
  /** The members up to the point where they are members: bends of those, and of the body, are not in them yet. */
  members(bends: readonly Bend[]): Promise<Members>
  says(members: Members): readonly Contradiction[]
  readonly verdict: VerdictOf
}

/** The endorsement key of whoever registers: in memory, with the certificate that the run's manufacturer gives it. */
export function endorsement({ environment }: Room) {
  return softEndorsementKey('registers with a fuzzer', environment.factory.manufacturer)
}
