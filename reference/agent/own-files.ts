import { chmodSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../errors.ts'
import { holdFile } from '../platform/hold-file.ts'
import { makeDirectories } from '../platform/make-directories.ts'

/**
 * Creates a directory that only its owner can enter, or uses an existing one.
 *
 * @throws {StartFault} it cannot be created, or another user could have written to it
 */
export function ensureOwnDirectory(directory: string): void {
  try {
    makeDirectories(directory)
    const { uid } = ownedDirectory(directory)
    if (process.getuid !== undefined && uid !== process.getuid())
      throw new StartFault(`the directory ${directory} is another user's`, MOVE)
    chmodSync(directory, 0o700)
  } catch (cause) {
    if (cause instanceof StartFault) throw cause
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    throw new StartFault(`the directory ${directory} cannot be used (${code})`, MOVE, cause)
  }
}

const MOVE = 'name another with --set state_dir=DIRECTORY'

/**
 * Reserves a directory for this process until the returned function is called, or until the process ends.
 *
 * @throws {StartFault} as `ensureOwnDirectory`, or if another agent has it
 */
export function holdOwnDirectory(directory: string): () => void {
  ensureOwnDirectory(directory)
  const letGo = holdFile(join(directory, 'lock'))
  if (letGo !== undefined) return letGo
  throw new StartFault(`the directory ${directory} is in use by another agent`, MOVE)
}

/** Does not follow links: the owner of a link would choose the target. */
function ownedDirectory(directory: string) {
  const stat = lstatSync(directory)
  if (!stat.isDirectory()) throw new StartFault(`${directory} is no directory`, MOVE)
  return stat
}

/**
 * Writes a file that only its owner can read, atomically: an existing one stays until then.
 *
 * @throws {StartFault} it cannot be written, as on a disk that is full or read-only
 */
export function writeOwnFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, content, { mode: 0o600 })
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    const next = `check free space and permissions, or ${MOVE}`
    throw new StartFault(`the file ${file} cannot be written (${code})`, next, cause)
  }
}
