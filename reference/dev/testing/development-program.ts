import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A build lies two folders below the root, this source three. */
const [DEV = ''] = ['../../', '../../../']
  .map((root) => fileURLToPath(new URL(`${root}bin/dev.js`, import.meta.url)))
  .filter((file) => existsSync(file))

/** The words by which Node runs a source file of this repository; `source` is given from its root. */
export function developmentProgram(source: string): readonly string[] {
  return [DEV, source]
}
