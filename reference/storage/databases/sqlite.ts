import { closeSync, openSync } from 'node:fs'
import type { Dialect } from 'kysely'
import Libsql from 'libsql'
import { StartFault } from '../../errors.ts'
import { copyLog, LOG } from './checkpoints.ts'
import { sqliteDialect } from './dialects.ts'
import { rememberStatements } from './remember-statements.ts'

export const ANOTHER_FILE = 'move the file away or give another one with --set database=FILE'

const MEMORY = ':memory:'

/** Pages of 4 KiB in the log at which a writer checkpoints itself, if the checkpoint thread lags behind. */
const LOG_LEFT_ALONE = 16_384

const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'busy_timeout = 5000',
  `wal_autocheckpoint = ${LOG_LEFT_ALONE}`,
  `journal_size_limit = ${LOG}`,
]

/**
 * A dialect over one SQLite file, or `:memory:`; a StartFault if the file is not one.
 * @param look milliseconds between two looks at the log of the file
 */
export function connectSqlite(file: string, look?: number): Dialect {
  const connection = connect(file)
  const endLooks = file === MEMORY ? () => undefined : copyLog(file, look)
  const database = rememberStatements(connection)
  const close = (): void => {
    endLooks()
    database.close()
  }
  return sqliteDialect({ database: { ...database, close } })
}

function connect(file: string): Libsql.Database {
  try {
    if (file !== MEMORY) reserve(file)
    const connection = new Libsql(file)
    connection.exec(PRAGMAS.map((pragma) => `PRAGMA ${pragma}`).join('; '))
    return connection
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'SQLITE_NOTADB') {
      throw new StartFault(`${file} is not a database`, ANOTHER_FILE, cause)
    }
    throw new StartFault(
      `the database ${file} cannot be opened`,
      'check that its directory exists and is writable',
      cause,
    )
  }
}

/** SQLite creates world-readable files; this one holds V keys and revocation keys (CVE-2022-23952). */
function reserve(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}
