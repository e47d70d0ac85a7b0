import { Kysely } from 'kysely'
import Libsql from 'libsql'
import { onTestFinished } from 'vitest'
import { openRegistrarDatabase, openVerifierDatabase } from '../../../storage/databases/database.ts'
import { sqliteDialect } from '../../../storage/databases/dialects.ts'
import { type RegistrarStore, registrarStore } from '../../../storage/registrar-store.ts'
import { type VerifierStore, verifierStore } from '../../../storage/verifier-store.ts'
import { agentRow } from './rows.ts'

/** Gives an empty store that is closed with the test. */
export type OpenStore = () => Promise<VerifierStore>

/** The store in a file, or in `:memory:`. */
export async function openStore(file: string): Promise<VerifierStore> {
  const store = verifierStore(await openVerifierDatabase(file))
  onTestFinished(() => store.close())
  return store
}

export async function openRegistrations(file: string): Promise<RegistrarStore> {
  const store = registrarStore(await openRegistrarDatabase(file))
  onTestFinished(() => store.close())
  return store
}

/** The registrations in the database of a registrar that runs in this process: a second connection to its file. */
export function shareRegistrations(file: string): RegistrarStore {
  const dialect = sqliteDialect({ database: new Libsql(file) })
  const store = registrarStore(new Kysely({ dialect }))
  onTestFinished(() => store.close())
  return store
}

/** A store in which agent `a` is enrolled under the name `first`. */
export async function storeWithAgent(open: OpenStore): Promise<VerifierStore> {
  const store = await open()
  await store.agents.enrol(agentRow(), undefined)
  return store
}
