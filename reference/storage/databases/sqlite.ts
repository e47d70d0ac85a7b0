import type { Dialect } from 'kysely'
import Libsql from 'libsql'
import { StartFault } from '../../errors.ts'
import { copyLog, LOG } from './checkpoints.ts'
import { sqliteDialect } from './dialects.ts'
import { ownDatabase, reserve } from './own-file.ts'
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
  const { connection, letGo } = connect(file)
  const endLooks = file === MEMORY ? () => undefined : copyLog(file, look)
  const database = rememberStatements(connection)
  const close = (): void => {
    endLooks()
    database.close()
    letGo()
  }
  return sqliteDialect({ database: { ...database, close } })
}

function connect(file: string) {
  let letGo = (): void => undefined
  try {
    if (file !== MEMORY) {
      reserve(file)
      letGo = ownDatabase(file)
    }
    const connection = new Libsql(file)
    connection.exec(PRAGMAS.map((pragma) => `PRAGMA ${pragma}`).join('; '))
    return { connection, letGo }
  } catch (cause) {
    letGo()
    if (cause instanceof StartFault) throw cause
    throw sqliteFault(file, cause) ?? unopened(file, cause)
  }
}

function unopened(file: string, cause: unknown): StartFault {
  return new StartFault(
    `the database ${file} cannot be opened`,
    'check that its directory exists and is writable',
    cause,
  )
}

/** Why a file cannot be used, by the code of SQLite or of Node. */
const FAULTS: readonly { readonly code: RegExp; readonly is: string; readonly next: string }[] = [
  { code: /^SQLITE_NOTADB$/, is: 'is not a database', next: ANOTHER_FILE },
  {
    code: /^SQLITE_CORRUPT/,
    is: 'is damaged',
    next: `put a copy of it from before the damage in its place, or ${ANOTHER_FILE}`,
  },
  {
    code: /^(SQLITE_FULL|ENOSPC|EDQUOT)$/,
    is: 'cannot be written: its disk is full',
    next: `free space there, or ${ANOTHER_FILE}`,
  },
]

/** The error for a fault whose reason SQLite names. */
export function sqliteFault(file: string, cause: unknown): StartFault | undefined {
  const { code } = cause as { code?: unknown }
  const known = FAULTS.find((row) => typeof code === 'string' && row.code.test(code))
  return known && new StartFault(`the file ${file} ${known.is}`, known.next, cause)
}
