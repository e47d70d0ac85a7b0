import { existsSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { packageRoot } from './package-root.ts'

/** The copy of a data file that a build made; its name is the file's path. The sources have none. */
function copyOf(file: string): string {
  const name = relative(packageRoot(), file).split(sep).join('-')
  return fileURLToPath(new URL(`./${name}.json`, import.meta.url))
}

/**
 * Reads a YAML file. Of the files below `conformance/catalogue` a build has copies in JSON, which take a tenth of the time.
 *
 * @throws {Error} with line and column, when it is not YAML
 */
export function readYaml(file: string): unknown {
  const copy = copyOf(file)
  return existsSync(copy)
    ? JSON.parse(readFileSync(copy, 'utf8'))
    : parse(readFileSync(file, 'utf8'))
}
