import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The stacks of an error and of its causes, without their other properties, which may contain keys and tokens.
 * @param {unknown} error
 * @returns {string}
 */
function stacksOf(error) {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stacksOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

/**
 * Writes the stack to a file in the first directory that is writable, and returns its path.
 * @param {unknown} error
 * @param {readonly string[]} directories
 */
export function keepStack(error, directories) {
  const name = `assay-fault-${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}.txt`
  for (const directory of directories) {
    try {
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, name), `${stacksOf(error)}\n`, { mode: 0o600 })
      return join(directory, name)
    } catch {
      // A read-only checkout still has a temporary directory.
    }
  }
  return 'not written: no directory is writable'
}
