import { closeSync, openSync } from 'node:fs'
import { StartFault } from '../../errors.ts'
import { refuseReadable } from '../../pki/private-file.ts'
import { holdFile } from '../../platform/hold-file.ts'

const ANOTHER_DIRECTORY =
  'end that one first, or give another directory with --set state_dir=DIRECTORY'

/**
 * Makes a file that only its owner can read, unless it exists: SQLite creates world-readable ones, and this one holds V
 * keys and revocation keys (CVE-2022-23952).
 *
 * @throws {StartFault} if the file exists and every user can read it
 */
export function reserve(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  refuseReadable(file)
}

/**
 * Reserves the file of a database for this process until the returned function is called, by a lock on a file next to it.
 * Other connections to the database are not affected.
 *
 * @throws {StartFault} if another process has it
 */
export function ownDatabase(database: string): () => void {
  const file = `${database}.lock`
  reserve(file)
  const letGo = holdFile(file)
  if (letGo !== undefined) return letGo
  throw new StartFault(`the database ${database} is in use by another process`, ANOTHER_DIRECTORY)
}
