import { expect, onTestFinished, test, vi } from 'vitest'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { openVerifierDatabase, type VerifierDatabase } from './database.ts'
import { prepareQuery, prepareWrite } from './prepare-query.ts'

async function withAgents(...ids: readonly string[]): Promise<VerifierDatabase> {
  const database = await openVerifierDatabase(':memory:')
  onTestFinished(() => database.destroy())
  for (const agent_id of ids)
    await database.insertInto('agents').values(agentRow({ agent_id })).execute()
  return database
}

const failuresOf = (on: VerifierDatabase, { agent_id }: { readonly agent_id: string }) =>
  on.selectFrom('agents').select(['agent_id', 'failures']).where('agent_id', '=', agent_id)

test('a query is put together once, and asked with other values each time', async () => {
  const database = await withAgents('a', 'b')
  const build = vi.fn(failuresOf)
  const { first, all } = prepareQuery(database, build)
  expect(await first({ agent_id: 'a' })).toEqual({ agent_id: 'a', failures: 0 })
  expect(await all({ agent_id: 'b' })).toEqual([{ agent_id: 'b', failures: 0 }])
  expect(await first({ agent_id: 'c' })).toBeUndefined()
  expect(build).toHaveBeenCalledOnce()
})

test('a column is written by one value and looked at by another', async () => {
  const database = await withAgents('a')
  const write = prepareWrite(
    database,
    (on, columns: { readonly failures: number }, at: { readonly failures: number }) =>
      on.updateTable('agents').set(columns).where('failures', '=', at.failures),
  )
  expect(await write({ failures: 7 }, { failures: 0 })).toBe(true)
  expect(await write({ failures: 8 }, { failures: 0 })).toBe(false)
  expect(await failuresOf(database, { agent_id: 'a' }).execute()).toMatchObject([{ failures: 7 }])
})

test('other columns are another query', async () => {
  const database = await withAgents('a')
  const write = prepareWrite(
    database,
    (on, columns: Partial<ReturnType<typeof agentRow>>, at: { readonly agent_id: string }) =>
      on.updateTable('agents').set(columns).where('agent_id', '=', at.agent_id),
  )
  await write({ failures: 1 }, { agent_id: 'a' })
  await write({ ip: null, v: 'key' }, { agent_id: 'a' })
  const agent = await database.selectFrom('agents').selectAll().executeTakeFirst()
  expect(agent).toEqual(agentRow({ failures: 1, v: 'key' }))
})

test('a use in a transaction is taken back with it', async () => {
  const database = await withAgents('a')
  const remove = prepareQuery(database, (on, { agent_id }: { readonly agent_id: string }) =>
    on.deleteFrom('agents').where('agent_id', '=', agent_id),
  )
  const taken = database.transaction().execute(async (transaction) => {
    expect(await remove.changes({ agent_id: 'a' }, transaction)).toBe(1)
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')
  expect(await failuresOf(database, { agent_id: 'a' }).execute()).toHaveLength(1)
})
