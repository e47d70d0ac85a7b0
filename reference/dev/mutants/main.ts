import { StartFault } from '../../errors.ts'
import { startMutant } from './start-mutant.ts'

/** The exit code of a component that could not start, or a command that reached no server. */
const FAULT = 2

/**
 * `node bin/dev.js reference/dev/mutants/main.ts <mutant> verifier|registrar … [and registrar|verifier …]`: the reference with one part
 * swapped. Both components can share a process, as most of a start is the loading of code. A tenant's words are a
 * command: `node bin/dev.js reference/dev/mutants/main.ts <mutant> tenant add …`; it ends with the exit code that `assay` would give.
 */
process.on('uncaughtException', (error) => {
  const fault = error instanceof StartFault
  console.error(fault ? `assay: ${error.sentence}` : error)
  process.exit(fault ? FAULT : 1)
})
process.exitCode = await startMutant(process.argv.slice(2), { clock: process.env['ASSAY_CLOCK'] })
