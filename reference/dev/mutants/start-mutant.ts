import { mutantParts } from './mutants.ts'
import { type Surroundings, startComponents } from './start-components.ts'

/** Starts the components of the command line, `<mutant> verifier … [and registrar …]`, and resolves with the exit code once they have ended. */
export async function startMutant(
  [mutant = '', ...argv]: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  return startComponents(argv, mutantParts(mutant), surroundings)
}
