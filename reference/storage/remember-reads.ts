import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type Libsql from 'libsql'

/** More texts than the stores have; a text with a list of varying length does not fill the memory. */
const KEPT = 256

/**
 * The connection as Kysely uses it, which prepares a statement for each query: what reads is prepared once. What
 * writes is not kept, for a statement holds on to what was bound to it last, and evidence is large.
 */
export function rememberReads(connection: Libsql.Database): SqliteDatabase {
  const known = new Map<string, SqliteStatement>()
  return {
    close: () => {
      known.clear()
      connection.close()
    },
    prepare(sql) {
      const remembered = known.get(sql)
      if (remembered !== undefined) return remembered
      const statement = connection.prepare(sql) as unknown as SqliteStatement
      if (!statement.reader) return statement
      if (known.size >= KEPT) known.clear()
      known.set(sql, statement)
      return statement
    },
  }
}
