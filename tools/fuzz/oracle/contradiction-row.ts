import type { Contradiction } from './contradiction.ts'
import type { Reading } from './reading.ts'

/** A statement that contradicts itself in any reading; evidence that makes it must not pass. */
export interface ContradictionRow extends Contradiction {
  readonly holds: (reading: Reading) => boolean
}
