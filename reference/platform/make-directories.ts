import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/**
 * Makes a directory and the missing ones above it, for their owner alone; throws the error of the system. Node's own
 * `recursive` does not end below a directory that exists and answers ENOENT, such as `/proc`.
 */
export function makeDirectories(directory: string): void {
  const path = resolve(directory)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (isDirectory(path)) return
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isDirectory(parent)) throw error
    makeDirectories(parent)
    makeDirectories(path)
  }
}
