import { PGlite, types } from '@electric-sql/pglite'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Place } from '../../../storage/databases/database.ts'
import { postgresDialect } from '../../../storage/databases/dialects.ts'

/** PostgreSQL in memory without a server: one connection, for which callers queue. Ends with the database. */
export async function pglitePlace(): Promise<Place> {
  const engine = await PGlite.create({ parsers: { [types.INT8]: Number } })
  return {
    dialect: postgresDialect({ pool: poolOf(engine) }),
    migrationFault: (cause) => {
      throw cause
    },
  }
}

function poolOf(engine: PGlite): PostgresPool {
  let free: Promise<void> = Promise.resolve()
  return {
    async connect() {
      const before = free
      const { promise, resolve } = handle()
      free = promise
      await before
      return { query: queryOf(engine), release: resolve }
    },
    end: () => engine.close(),
  }
}

function handle(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** A result in the form of `pg`: the command, and the number of rows. */
function queryOf(engine: PGlite): PostgresPoolClient['query'] {
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const { rows, affectedRows } = await engine.query(sql, [...parameters])
    const [command = ''] = sql.split(' ', 1)
    return { command: command.toUpperCase(), rowCount: affectedRows ?? 0, rows }
  }
  return query as unknown as PostgresPoolClient['query']
}
