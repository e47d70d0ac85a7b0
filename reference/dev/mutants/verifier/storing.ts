import type { VerifierDatabase } from '../../../storage/databases/database.ts'
import { type VerifierStore, verifierStore } from '../../../storage/verifier-store.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

/** The parts with a store that does some things otherwise. */
export function storing(
  change: (database: VerifierDatabase) => Partial<VerifierStore>,
): Mutant['parts'] {
  return { verifierStore: (database) => ({ ...verifierStore(database), ...change(database) }) }
}
