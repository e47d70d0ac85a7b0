import { closeSync, openSync } from 'node:fs'
import type { Dialect } from 'kysely'
import Libsql from 'libsql'
import { StartFault } from '../errors.ts'
import { sqliteDialect } from './dialects.ts'
import { rememberStatements } from './remember-statements.ts'

export const ANOTHER_FILE = 'move the file away or give another one with --set database=FILE'

/** A dialect over one SQLite file, or `:memory:`; a StartFault when it is none. */
export function connectSqlite(file: string): Dialect {
  return sqliteDialect({ database: rememberStatements(connect(file)) })
}

function connect(file: string): Libsql.Database {
  try {
    if (file !== ':memory:') reserve(file)
    const connection = new Libsql(file)
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000',
    )
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

/** SQLite makes files that everybody may read; V keys and revocation keys lie in this one (CVE-2022-23952). */
function reserve(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}
