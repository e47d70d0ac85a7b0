import { expect, test } from 'vitest'
import { registrationRow } from '../../dev/testing/storage/rows.ts'
import type { RegistrarStore } from '../registrar-store.ts'

/** What every store keeps of registrations. */
export function registrationContract(open: () => Promise<RegistrarStore>): void {
  test('a change returns the stored row', async () => {
    const store = await open()
    const row = registrationRow({ port: 9002, ip: '::1', ekcert: 'CERT', pending: '{}' })
    await store.change('a', () => row)
    expect(await store.find('a')).toEqual(row)
  })

  test('a change sees the row that is there, and none where none is', async () => {
    const store = await open()
    const seen: unknown[] = []
    for (const regcount of [1, 2]) {
      await store.change('a', (present) => {
        seen.push(present?.regcount)
        return registrationRow({ regcount })
      })
    }
    expect(seen).toEqual([undefined, 1])
  })

  test('a change that returns nothing changes nothing', async () => {
    const store = await open()
    await store.change('a', () => registrationRow())
    expect(await store.change('a', () => undefined)).toBeUndefined()
    expect(await store.find('a')).toEqual(registrationRow())
  })

  test('a change that throws changes nothing, and the store still works', async () => {
    const store = await open()
    const change = store.change('a', () => {
      throw new Error('refused')
    })
    await expect(change).rejects.toThrow('refused')
    await store.change('a', () => registrationRow())
    expect(await store.find('a')).toBeDefined()
  })

  test('changes at the same time come one after the other', async () => {
    const store = await open()
    const count = () =>
      store.change('a', (present) => registrationRow({ regcount: (present?.regcount ?? 0) + 1 }))
    await Promise.all(Array.from({ length: 20 }, count))
    expect((await store.find('a'))?.regcount).toBe(20)
  })

  test('of two that want the same id at once one has it', async () => {
    const store = await open()
    const claim = (ek_tpm: string) =>
      store.change('a', (present) => {
        if (present !== undefined) throw new Error('taken')
        return registrationRow({ ek_tpm })
      })
    const claims = await Promise.allSettled(['ONE', 'OTHER'].map(claim))
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await store.find('a')).toBeDefined()
  })

  test('ids of activated agents are listed in order of value', async () => {
    const store = await open()
    for (const agent_id of ['b', 'C', 'a', '10', '9'])
      await store.change(agent_id, () => registrationRow({ agent_id, active: 1 }))
    await store.change('aa', () => registrationRow({ agent_id: 'aa', active: 0 }))
    expect(await store.list()).toEqual(['10', '9', 'C', 'a', 'b'])
  })

  test('a row is removed once', async () => {
    const store = await open()
    await store.change('a', () => registrationRow())
    expect(await store.remove('a')).toBe(true)
    expect(await store.remove('a')).toBe(false)
    expect(await store.find('a')).toBeUndefined()
  })
}
