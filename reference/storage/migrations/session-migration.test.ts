import { join } from 'node:path'
import { Kysely, Migrator, SqliteDialect, sql } from 'kysely'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { openStore } from '../../dev/testing/storage/open-store.ts'
import { agentRow, sessionRow } from '../../dev/testing/storage/rows.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import type { VerifierSchema } from '../databases/database.ts'
import { VERIFIER_MIGRATIONS } from './migrations.ts'

const STEP = '005-sessions-of-enrolments'

/** A database as it was before the step, with an agent and a session of it that has a token. */
async function databaseOfBefore(): Promise<string> {
  const file = join(temporaryDirectory(), 'verifier.sqlite')
  const database = new Kysely<VerifierSchema>({
    dialect: new SqliteDialect({ database: new Libsql(file) }),
  })
  const earlier = Object.entries(VERIFIER_MIGRATIONS).filter(([name]) => name < STEP)
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(earlier)) }
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest()
  expect(error).toBeUndefined()
  // Columns that came later are not there yet.
  const { rows } = await sql<{ name: string }>`pragma table_info(agents)`.execute(database)
  const columns = new Set(rows.map(({ name }) => name))
  const then = Object.entries(agentRow()).filter(([name]) => columns.has(name))
  await database
    .insertInto('agents')
    .values(Object.fromEntries(then) as never)
    .execute()
  await sql`insert into sessions values ('s', 'a', 'AAAA', 0, 100, 1, 'hash', 4102444800000)`.execute(
    database,
  )
  await database.destroy()
  return file
}

test('an upgrade keeps the agents, ends the tokens of before, and takes new ones', async () => {
  const store = await openStore(await databaseOfBefore())
  const { agent_id, enrolment, ak_tpm } = agentRow()
  expect(await store.agents.find('a')).toMatchObject({ agent_id, enrolment, ak_tpm })
  expect(await store.sessions.find('s')).toBeUndefined()
  expect(await store.sessions.grant(sessionRow())).toBe(true)
})
