import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartFault } from '../errors.ts'

/** Permissions of those who are neither the owner of a file nor in its group. */
const ACCESS = 0o006
const ENTER = 0o001

/**
 * Refuses a file with secrets that every user of this machine can read or write, which needs directories that
 * everyone can enter.
 *
 * @throws {StartFault} one sentence that names the file
 */
export function refuseReadable(file: string): void {
  const real = realpathSync(file)
  if (!allows(real, ACCESS) || !directoriesOf(real).every((one) => allows(one, ENTER))) return
  throw new StartFault(
    `every user of this machine can read or write ${file}, which holds secrets`,
    `take that away with chmod o-rwx ${file}, and replace its keys if others may have read them`,
  )
}

function allows(path: string, permission: number): boolean {
  return (statSync(path).mode & permission) !== 0
}

function directoriesOf(path: string): readonly string[] {
  const directory = dirname(path)
  return directory === path ? [] : [directory, ...directoriesOf(directory)]
}
