import { main } from '../../../main.ts'

/** The shipped reference, as a process of a test. */
process.exitCode = await main(process.argv.slice(2))
