import { fileURLToPath } from 'node:url'

/** From the sources as from a build, which are both two folders below the root. */
const DEV = fileURLToPath(new URL('../../../bin/dev.js', import.meta.url))

/** The words by which Node runs a source file of this repository; `source` is given from its root. */
export function developmentProgram(source: string): readonly string[] {
  return [DEV, source]
}
