import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { LOG } from './checkpoints.ts'
import { connectSqlite } from './sqlite.ts'

/** Milliseconds between two looks at the log. */
const LOOK = 10

/** A table in a file, and how large the file and its log are. */
async function table() {
  const file = join(temporaryDirectory(), 'test.sqlite')
  const database = new Kysely<unknown>({ dialect: connectSqlite(file, LOOK) })
  onTestFinished(() => database.destroy())
  const ask = (query: ReturnType<typeof sql>) => query.execute(database)
  await ask(sql`create table texts (text text)`)
  return {
    write: (characters: number) => ask(sql`insert into texts values (${'a'.repeat(characters)})`),
    read: () => ask(sql`select sum(length(text)) as characters from texts`),
    size: () => statSync(file).size,
    logSize: () => statSync(`${file}-wal`).size,
  }
}

test('who writes a large text does not copy it into the file, and it gets there', async () => {
  const { write, size, read } = await table()
  await write(2 * LOG)
  expect(size()).toBeLessThan(LOG)
  await vi.waitFor(() => expect(size()).toBeGreaterThan(2 * LOG), { timeout: 10_000 })
  expect((await read()).rows).toMatchObject([{ characters: 2 * LOG }])
})

test('a log that was copied begins anew, however much is written', async () => {
  const { write, size, logSize } = await table()
  await write(2 * LOG)
  await vi.waitFor(() => expect(size()).toBeGreaterThan(2 * LOG), { timeout: 10_000 })
  await vi.waitFor(
    async () => {
      await write(1)
      expect(logSize()).toBeLessThanOrEqual(LOG)
    },
    { timeout: 10_000 },
  )
})

test('a small log is left where it is, while a large one is copied', async () => {
  const [small, large] = [await table(), await table()]
  await small.write(LOG / 2)
  await large.write(2 * LOG)
  await vi.waitFor(() => expect(large.size()).toBeGreaterThan(2 * LOG), { timeout: 10_000 })
  expect(small.size()).toBeLessThan(LOG / 2)
})
