import { setFlagsFromString } from 'node:v8'
import { main } from '../../../main.ts'

// The shipped reference as a process of a test, with the flag of V8 that bin/assay.js sets for a verifier.
setFlagsFromString('--heap-growing-percent=150')
process.exitCode = await main(process.argv.slice(2))
