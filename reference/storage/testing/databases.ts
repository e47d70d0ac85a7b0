import { expect, test } from 'vitest'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import type { VerifierDatabase } from '../databases/database.ts'
import { listeningStore } from '../listening-store.ts'
import { sharedSecret } from '../secret-store.ts'

const bytes = (value: number) => () => new Uint8Array(32).fill(value)

/** What stores take for granted of a database. */
export function databaseContract(open: () => Promise<VerifierDatabase>): void {
  test('a secret is made once, and is the same for all simultaneous starts', async () => {
    const database = await open()
    const all = await Promise.all([1, 2, 3].map((n) => sharedSecret(database, 'k', bytes(n))))
    expect(new Set(all.map((each) => Buffer.from(each).toString('hex'))).size).toBe(1)
    expect(await sharedSecret(database, 'k', bytes(4))).toEqual(all[0])
    expect(await sharedSecret(database, 'other', bytes(4))).toEqual(bytes(4)())
  })

  test('the time of listening is stored, and never moves back', async () => {
    const listening = listeningStore(await open())
    expect(await listening.find()).toBeUndefined()
    expect(await listening.advance(1000)).toBe(1000)
    expect(await listening.advance(500)).toBe(1000)
    expect(await listening.advance(2000)).toBe(2000)
    expect(await listening.find()).toBe(2000)
  })

  test('texts are in order of value, and times have 64 bits', async () => {
    const database = await open()
    const time = 2 ** 53 - 1
    for (const agent_id of ['b', 'C', 'a', 'é', '10', '9'])
      await database
        .insertInto('agents')
        .values(agentRow({ agent_id, last_received_quote: time }))
        .execute()
    const rows = await database.selectFrom('agents').selectAll().orderBy('agent_id').execute()
    expect(rows.map(({ agent_id }) => agent_id)).toEqual(['10', '9', 'C', 'a', 'b', 'é'])
    expect(rows[0]?.last_received_quote).toBe(time)
  })
}
