import { fileURLToPath } from 'node:url'
import { buildMutated } from './build.ts'

/**
 * `node bin/dev.js reference/dev/mutation/main.ts <folder or file of reference/> …`: builds the reference with the
 * mutants of these folders, and prints the path of the program and the mutants as JSON.
 */
const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')
console.log(JSON.stringify(await buildMutated(root, process.argv.slice(2))))
