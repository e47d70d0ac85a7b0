import { join } from 'node:path'
import { Kysely, Migrator, SqliteDialect, sql } from 'kysely'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { openStore } from '../../dev/testing/storage/open-store.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { collect } from '../../platform/collect.ts'
import { VERIFIER_MIGRATIONS } from './migrations.ts'

test('attestations of before are counted, each with those of its agent before it', async () => {
  const file = join(temporaryDirectory(), 'v.sqlite')
  await databaseOfBefore(file)
  const { attestations } = await openStore(file)
  const bytes = async (agent: string) =>
    (await collect(attestations.list(agent))).map(({ bytes_before }) => bytes_before)
  expect(await bytes('a')).toEqual([0, 1024 + 3, 2 * 1024 + 5])
  expect(await bytes('b')).toEqual([0])
})

/** A database of the ninth migration, with three attestations of one agent and one of another. */
async function databaseOfBefore(file: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Libsql(file) }) })
  const provider = { getMigrations: () => Promise.resolve({ ...VERIFIER_MIGRATIONS }) }
  await new Migrator({ db, provider }).migrateTo('009-several-verifiers')
  for (const [agent, index, evidence] of [
    ['a', 4, 'né'],
    ['b', 0, '[]'],
    ['a', 5, '[]'],
    ['a', 6, ''],
  ])
    await sql`insert into attestations (agent_id, "index", stage, evaluation, findings, evidence, system_info,
      capabilities_received_at, challenges_expire_at, enrolment) values (${agent}, ${index}, 'done', 'pass', '[]',
      ${evidence}, '{}', 0, 0, 'e')`.execute(db)
  await db.destroy()
}
