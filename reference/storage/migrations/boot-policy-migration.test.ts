import { join } from 'node:path'
import { Kysely, Migrator, SqliteDialect, sql } from 'kysely'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { openStore } from '../../dev/testing/storage/open-store.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { VERIFIER_MIGRATIONS } from './migrations.ts'

test('a reference state of before there were boot policies is kept under the id of its agent', async () => {
  const file = join(temporaryDirectory(), 'v.sqlite')
  await databaseOfBefore(file)
  const store = await openStore(file)
  expect(await store.bootPolicies.find('with')).toEqual({ name: 'with', mb_policy: '{"a":1}' })
  expect(await store.bootPolicies.names()).toEqual(['with'])
  const [one, other] = await Promise.all(['with', 'without'].map((id) => store.agents.find(id)))
  expect([one?.mb_policy_name, other?.mb_policy_name]).toEqual(['with', null])
})

/** A database of the second migration, with an agent that has a reference state and one that has none. */
async function databaseOfBefore(file: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Libsql(file) }) })
  const provider = { getMigrations: () => Promise.resolve({ ...VERIFIER_MIGRATIONS }) }
  await new Migrator({ db, provider }).migrateTo('002-enrolments')
  for (const [id, state] of [
    ['with', '{"a":1}'],
    ['without', null],
  ])
    await sql`insert into agents values (${id}, 3, null, null, null, 'AK', '{}', '{}', ${state}, null, '', '', null, '',
      '[]', '[]', '[]', '', '', '', 0, 0, 0, 0, null, 'e')`.execute(db)
  await db.destroy()
}
