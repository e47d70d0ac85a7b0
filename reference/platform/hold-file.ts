import Libsql from 'libsql'

/**
 * Holds a file, which is made if it is not there, until the returned function is called: the system ends that with the
 * process, however it ends. Undefined while another process, or another part of this one, holds it.
 */
export function holdFile(file: string): (() => void) | undefined {
  const lock = new Libsql(file)
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if ((cause as { code?: unknown }).code !== 'SQLITE_BUSY') throw cause
    return undefined
  }
  return () => void lock.close()
}
