import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, reasonOfSystem, SetupFault } from './fault.ts'

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/**
 * Makes a directory and the missing ones above it; throws the error of the system. Node's own `recursive` does not end
 * below a directory that exists and answers ENOENT, such as `/proc`.
 */
export function makeDirectories(directory: string, mode = 0o777): void {
  const path = resolve(directory)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (isDirectory(path)) return
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || isDirectory(parent)) throw error
    makeDirectories(parent, mode)
    makeDirectories(path, mode)
  }
}

/** Makes a directory that the user named, as {@link makeDirectories}; throws a {@link SetupFault} that says why it cannot. */
export function makeDirectory(directory: string, mode?: number): void {
  try {
    makeDirectories(directory, mode)
  } catch (cause) {
    throw new SetupFault(`cannot create ${directory}: ${reasonOfSystem(cause)}`, {
      next: 'free disk space, correct the permissions, or name another directory',
      cause,
    })
  }
}
