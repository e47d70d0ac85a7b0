import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Kysely, Migrator, SqliteDialect, sql } from 'kysely'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { openStore } from '../../dev/testing/storage/open-store.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { VERIFIER_MIGRATIONS } from './migrations.ts'

test('an earlier policy gets a digest, and is otherwise unchanged', async () => {
  const file = join(temporaryDirectory(), 'v.sqlite')
  await databaseOfBefore(file)
  const { policies } = await openStore(file)
  const digest = createHash('sha256').update('{"a":1}').digest('hex')
  expect(await policies.brief('p')).toMatchObject({ digest })
  expect(await policies.find('p')).toEqual({
    name: 'p',
    tpm_policy: null,
    runtime_policy: '{"a":1}',
  })
})

/** A database of the ninth migration, with a runtime policy. */
async function databaseOfBefore(file: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Libsql(file) }) })
  const provider = { getMigrations: () => Promise.resolve({ ...VERIFIER_MIGRATIONS }) }
  await new Migrator({ db, provider }).migrateTo('009-several-verifiers')
  await sql`insert into runtime_policies (name, runtime_policy) values ('p', '{"a":1}')`.execute(db)
  await db.destroy()
}
