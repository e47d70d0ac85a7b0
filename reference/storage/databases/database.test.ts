import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRegistrations } from '../../dev/testing/storage/open-store.ts'
import { agentRow, registrationRow } from '../../dev/testing/storage/rows.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { registrarStore } from '../registrar-store.ts'
import { verifierStore } from '../verifier-store.ts'
import { databaseOf, openRegistrarDatabase, openVerifierDatabase } from './database.ts'

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8)
}

test("a database is readable by its owner only, in a directory that is the owner's", async () => {
  const state_dir = join(temporaryDirectory(), 'state')
  const file = databaseOf({ state_dir, database: 'v.sqlite' })
  const store = verifierStore(await openVerifierDatabase(file))
  await store.agents.enrol(agentRow(), undefined)
  expect([state_dir, file, `${file}-wal`].map(modeOf)).toEqual(['700', '600', '600'])
  await store.close()
})

test('stored rows are there after the database is opened again', async () => {
  const file = join(temporaryDirectory(), 'v.sqlite')
  const store = verifierStore(await openVerifierDatabase(file))
  await store.agents.enrol(agentRow(), undefined)
  await store.close()
  const again = verifierStore(await openVerifierDatabase(file))
  expect(await again.agents.find('a')).toEqual(agentRow())
  await again.close()
})

test('the error for a file that is not a database names it and says what to do', async () => {
  const file = join(temporaryDirectory(), 'v.sqlite')
  writeFileSync(file, 'not a database in spite of its name. '.repeat(100))
  await expect(openVerifierDatabase(file)).rejects.toMatchObject({
    sentence: `${file} is not a database`,
    next: 'move the file away or give another one with --set database=FILE',
  })
})

test('the error for a database of the other component names it and says what to do', async () => {
  const file = join(temporaryDirectory(), 'v.sqlite')
  await (await openVerifierDatabase(file)).destroy()
  await expect(openRegistrarDatabase(file)).rejects.toMatchObject({
    sentence: `the database ${file} cannot be brought to this version's tables`,
  })
})

test('a directory in the place of the database is named', async () => {
  const directory = temporaryDirectory()
  await expect(openRegistrarDatabase(directory)).rejects.toMatchObject({
    sentence: `the database ${directory} cannot be opened`,
  })
})

test('rows in a file are there after a restart', async () => {
  const file = join(temporaryDirectory(), 'registrar.sqlite')
  const before = registrarStore(await openRegistrarDatabase(file))
  const row = registrationRow({ active: 1, regcount: 3, pending: '{}' })
  await before.change('a', () => row)
  await before.close()
  const after = await openRegistrations(file)
  expect(await after.find('a')).toEqual(row)
})
