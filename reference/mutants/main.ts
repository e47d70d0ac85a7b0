import { main } from '../main.ts'
import { mutantParts } from './mutants.ts'

/** Parts the words of one component from those of another. */
const AND = 'and'

/**
 * `tsx reference/mutants/main.ts <mutant> verifier|registrar … [and registrar|verifier …]`: the reference with one part
 * swapped. Both components can share a process, as most of a start is the loading of code.
 */
const [mutant = '', ...argv] = process.argv.slice(2)
const at = argv.includes(AND) ? argv.indexOf(AND) : argv.length
const starts = [argv.slice(0, at), argv.slice(at + 1)].filter(({ length }) => length > 0)
const codes: Promise<number>[] = []
// One after the other, as the first of them makes the CA.
for (const words of starts)
  await new Promise<void>((resolve, reject) => {
    const code = main(words, mutantParts(mutant), resolve)
    code.catch(reject)
    codes.push(code)
  })
process.exitCode = Math.max(...(await Promise.all(codes)))
