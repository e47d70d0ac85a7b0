import type { Dialect, PostgresPool, PostgresPoolClient } from 'kysely'
import type { CustomTypesConfig, Pool, PoolClient } from 'pg'
import { postgresDialect } from './dialects.ts'
import { NoPassword, queryFault, startFault, stateOf } from './postgres-faults.ts'
import type { PostgresPlace } from './postgres-url.ts'

/** Connections of one component. */
const CONNECTIONS = 10

/** Milliseconds; the server gives up first, so that a connection is not left with half an answer on it. */
const LIMITS = {
  connectionTimeoutMillis: 10_000,
  lock_timeout: 10_000,
  statement_timeout: 30_000,
  query_timeout: 40_000,
  idle_in_transaction_session_timeout: 60_000,
}

/** A 64-bit integer, which comes as a text. */
const INT8 = 20

/** A dialect over a pool whose first connection succeeded; otherwise a StartFault. */
export async function connectPostgres(place: PostgresPlace): Promise<Dialect> {
  const { default: pg } = await import('pg')
  const { tls, password, ...where } = place
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  } as CustomTypesConfig
  const pool = new pg.Pool({
    ...where,
    password: () => passwordOf(password),
    ...{ ...LIMITS, ssl: tls ?? false, max: CONNECTIONS, types },
    ...{ application_name: 'assay', keepAlive: true },
  })
  listen(pool)
  try {
    const client = await pool.connect()
    client.release()
  } catch (cause) {
    await pool.end()
    throw startFault(place, cause)
  }
  return postgresDialect({ pool: poolOf(pool) })
}

/** Asked for when the server asks for it. */
function passwordOf(given: string | undefined): string {
  const password = given ?? process.env['PGPASSWORD']
  if (password === undefined) throw new NoPassword()
  return password
}

/** An idle connection may break; its next user gets the error. */
function listen(pool: Pool): void {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
}

/** The pool for Kysely, with faults translated; a failed connection is not reused. */
function poolOf(pool: Pool): PostgresPool {
  return {
    connect: async () => {
      try {
        return connectionOf(await pool.connect())
      } catch (cause) {
        throw queryFault(cause)
      }
    },
    end: () => pool.end(),
  }
}

function connectionOf(client: PoolClient): PostgresPoolClient {
  let isBroken = false
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(sql, [...parameters])
    } catch (cause) {
      isBroken ||= stateOf(cause) === undefined
      throw queryFault(cause)
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  }
}
