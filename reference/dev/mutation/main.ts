import { fileURLToPath } from 'node:url'
import { buildEdited, buildMutated } from './build.ts'

/**
 * `node bin/dev.js reference/dev/mutation/main.ts <folder or file of reference/> …`: builds the reference with the
 * mutants of these folders, or without one with the defects of `edits/`, and prints the path of the program and the
 * mutants as JSON.
 */
const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')
const areas = process.argv.slice(2)
console.log(
  JSON.stringify(await (areas.length > 0 ? buildMutated(root, areas) : buildEdited(root))),
)
