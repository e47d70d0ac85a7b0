import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sql } from 'kysely'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { openDirectory } from '../../dev/testing/open-directory.ts'
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
    sentence: `the file ${file} is not a database`,
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

/** A database of a verifier in a new file, filled and closed. */
async function closedFile(directory = temporaryDirectory()): Promise<string> {
  const file = join(directory, 'v.sqlite')
  const store = verifierStore(await openVerifierDatabase(file))
  await store.agents.enrol(agentRow({ meta_data: 'x'.repeat(100_000) }), undefined)
  await store.close()
  return file
}

test('the error for a damaged database says so, and the same file undamaged is opened', async () => {
  const file = await closedFile()
  const connection = new Libsql(file)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  const intact = readFileSync(file)
  const damages = [intact.subarray(0, 5000), Buffer.from(intact).fill(0xff, 100, 4096)]
  for (const damaged of damages) {
    writeFileSync(file, damaged)
    await expect(openVerifierDatabase(file)).rejects.toMatchObject({
      sentence: `the file ${file} is damaged`,
      next: expect.stringContaining('put a copy of it from before the damage in its place'),
    })
  }
  writeFileSync(file, intact)
  await (await openVerifierDatabase(file)).destroy()
})

test('a database that every user can read is refused, and one that a group can read is not', async () => {
  const file = await closedFile(openDirectory())
  chmodSync(file, 0o644)
  await expect(openVerifierDatabase(file)).rejects.toMatchObject({
    sentence: `every user of this machine can read or write ${file}, which holds secrets`,
    next: expect.stringContaining(`chmod o-rwx ${file}`),
  })
  chmodSync(file, 0o640)
  await (await openVerifierDatabase(file)).destroy()
})

test('a file has one process at a time, which may be killed', async () => {
  const file = await closedFile()
  const source = `const [file, libsql] = process.argv.slice(1)
    new (require(libsql))(file).exec('BEGIN EXCLUSIVE')
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const libsql = createRequire(import.meta.url).resolve('libsql')
  const holder = spawn(process.execPath, ['-e', source, `${file}.lock`, libsql])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  await expect(openVerifierDatabase(file)).rejects.toMatchObject({
    sentence: `the database ${file} is in use by another process`,
  })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const database = await openVerifierDatabase(file)
  await expect(openVerifierDatabase(file)).rejects.toMatchObject({
    sentence: `the database ${file} is in use by another process`,
  })
  await database.destroy()
  await (await openVerifierDatabase(file)).destroy()
})

test('a full disk is named, and not the end of the transaction that met it', async () => {
  const database = await openVerifierDatabase(':memory:')
  onTestFinished(() => database.destroy())
  await sql`PRAGMA max_page_count = 60`.execute(database)
  const { agents } = verifierStore(database)
  const large = agentRow({ meta_data: 'x'.repeat(1_000_000) })
  await expect(agents.enrol(large, undefined)).rejects.toThrow('database or disk is full')
  expect(await agents.enrol(agentRow(), undefined)).toBeUndefined()
})
