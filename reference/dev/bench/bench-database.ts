import { parseArgs } from 'node:util'
import { startPostgres } from '../testing/storage/postgres-cluster.ts'

/** Where a bench has its verifier keep records. */
interface BenchDatabase {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /** The value of the setting `database`. */
  readonly database: string
  end(): Promise<void>
}

/**
 * SQLite, in `fallback`, unless the command line says `--database postgresql`, for a server that is started for the
 * bench and ends with it, or `--database URL`, for one that is there.
 */
export async function benchDatabase(fallback = ':memory:'): Promise<BenchDatabase> {
  const { values } = parseArgs({ options: { database: { type: 'string', default: 'sqlite' } } })
  const { database } = values
  const end = () => Promise.resolve()
  if (database === 'sqlite') return { kind: 'SQLite', database: fallback, end }
  if (database !== 'postgresql') return { kind: 'PostgreSQL', database, end }
  const cluster = await startPostgres()
  return { kind: 'PostgreSQL', database: await cluster.createDatabase(), end: cluster.stop }
}
