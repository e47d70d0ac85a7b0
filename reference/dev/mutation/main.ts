import { fileURLToPath } from 'node:url'
import { buildEdited, buildMutated } from './build.ts'

/**
 * `node bin/dev.js reference/dev/mutation/main.ts <folder or file of reference/> …`: builds the reference with the
 * mutants of these folders, or without one with the defects of `edits/` or of some of its files (`quote.yaml`), and
 * prints the path of the program and the mutants as JSON.
 */
const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')
const words = process.argv.slice(2)
const isEdited = words.every((word) => word.endsWith('.yaml'))
console.log(JSON.stringify(await (isEdited ? buildEdited(root, words) : buildMutated(root, words))))
