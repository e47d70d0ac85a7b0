import { main } from '../main.ts'
import { mutantParts } from './mutants.ts'

/** `tsx reference/mutants/main.ts <mutant> verifier|registrar …`: the reference with one part swapped. */
const [mutant = '', ...argv] = process.argv.slice(2)
process.exitCode = await main(argv, mutantParts(mutant))
