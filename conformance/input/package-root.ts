import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of Assay's package.json, both from the sources and from `dist/`. */
export function packageRoot(from: string = import.meta.url): string {
  let directory = dirname(fileURLToPath(from))
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory)
  return directory
}
