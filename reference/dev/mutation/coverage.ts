import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds between two copies: a process that is killed has no last word. */
const EVERY_MS = 200

/** Writes the coverage of a command into a folder, now and then and at the end; without a folder, nothing. */
export function writeCoverageOnExit(folder: string | undefined, coverage: () => object): void {
  if (folder === undefined) return
  const file = join(folder, `${process.pid}.json`)
  const write = () => writeFileSync(file, JSON.stringify(coverage()))
  setInterval(write, EVERY_MS).unref()
  process.on('exit', write)
}
