import type { Contradiction } from './contradiction.ts'
import type { Reading } from './reading.ts'

/** Something that evidence must not say, whoever reads it: whatever is answered then, it may not be a pass. */
export interface ContradictionRow extends Contradiction {
  readonly holds: (reading: Reading) => boolean
}
