import { softEndorsementKey } from '../../../simulator/machine/soft-endorsement-key.ts'
import type { MutationStep } from '../encode.ts'
import type { VerdictOf } from '../findings/answer.ts'
import type { Contradiction } from '../oracle/contradiction.ts'
import type { FuzzSession } from '../session.ts'
import type { Members, Mutation } from '../stages.ts'

/** One thing that is mutated of a registration, and what is said of the answer. */
export interface RegistrationWay {
  readonly mutations: readonly Mutation[]
  /** The members up to the point where they are members: steps of those, and of the body, are not in them yet. */
  members(steps: readonly MutationStep[]): Promise<Members>
  says(members: Members): readonly Contradiction[]
  readonly verdict: VerdictOf
}

/** The endorsement key of the agent: in memory, with a certificate of the run's manufacturer. */
export function endorsement({ environment }: FuzzSession) {
  return softEndorsementKey('registers with a fuzzer', environment.factory.manufacturer)
}
