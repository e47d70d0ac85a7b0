import type { Reading } from './reading.ts'

/** Something that evidence must not say, whoever reads it: whatever is answered then, it may not be a pass. */
export interface ContradictionRow {
  readonly id: string
  /** A sentence that begins with "the evidence". */
  readonly says: string
  readonly holds: (reading: Reading) => boolean
}
