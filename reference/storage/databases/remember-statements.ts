import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type Libsql from 'libsql'

/** More texts than the stores have; a text with a list of varying length does not fill the memory. */
const KEPT = 256

/** Characters of a text that a statement may hold on to. */
const SMALL = 4096

/**
 * The connection as Kysely uses it, which prepares a statement for each query: here each is prepared once. A statement
 * keeps its last bound values, and evidence is large: statements that write large texts are prepared for each use.
 */
export function rememberStatements(connection: Libsql.Database): SqliteDatabase {
  const known = new Map<string, SqliteStatement>()
  const prepare = (sql: string) => connection.prepare(sql) as unknown as SqliteStatement
  return {
    close: () => {
      known.clear()
      connection.close()
    },
    prepare(sql) {
      const remembered = known.get(sql)
      if (remembered !== undefined) return remembered
      const kept = keep(prepare(sql), () => prepare(sql))
      if (known.size >= KEPT) known.clear()
      known.set(sql, kept)
      return kept
    },
  }
}

/** A statement that knows whether it reads; a write statement is prepared `anew` for large values. */
function keep(statement: SqliteStatement, anew: () => SqliteStatement): SqliteStatement {
  const isLarge = (value: unknown) => typeof value === 'string' && value.length > SMALL
  return {
    // Kysely asks at each use, and libsql's answer costs as much as a small query.
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    iterate: (parameters) => statement.iterate(parameters),
    run: (parameters) => (parameters.some(isLarge) ? anew() : statement).run(parameters),
  }
}
