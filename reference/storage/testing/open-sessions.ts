import { expect, test } from 'vitest'
import type { OpenSession, OpenSessionLimits, OpenSessions } from '../open-session-store.ts'

/** A challenge that was given out at 0 and may be answered until 100. */
export function openSession(id: string, change: Partial<OpenSession> = {}): OpenSession {
  return {
    id,
    agent_id: 'a',
    enrolment: undefined,
    challenge: 'AAAA',
    created_at: 0,
    challenges_expire_at: 100,
    ...change,
  }
}

/** Which of `a` to `h` wait. */
export async function idsOf(open: OpenSessions): Promise<string> {
  const found = await Promise.all([...'abcdefgh'].map((id) => open.find(id)))
  return found.flatMap((session) => session?.id ?? []).join('')
}

const ROOMY = { perAgent: 10, inAll: 10 }

/** What holds of the challenges that wait, wherever they are kept. */
export function openSessionContract(
  start: (limits: OpenSessionLimits) => OpenSessions | Promise<OpenSessions>,
): void {
  async function holding(limits: OpenSessionLimits, sessions: readonly OpenSession[]) {
    const open = await start(limits)
    for (const one of sessions) await open.add(one)
    return open
  }

  test('a challenge that waits is found as it was given out', async () => {
    const sessions = [openSession('a'), openSession('b', { enrolment: 'first' })]
    const open = await holding(ROOMY, sessions)
    expect([await open.find('a'), await open.find('b')]).toEqual(sessions)
    expect(await open.find('c')).toBeUndefined()
  })

  test('a challenge is answered once, also at the same time', async () => {
    const open = await holding(ROOMY, [openSession('a')])
    const taken = await Promise.all([open.take('a'), open.take('a'), open.take('b')])
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(taken[2]).toBe(false)
    expect(await open.find('a')).toBeUndefined()
  })

  test('exactly the expired sessions are removed', async () => {
    const open = await holding(ROOMY, [
      openSession('a', { challenges_expire_at: 99 }),
      openSession('b', { challenges_expire_at: 100 }),
      openSession('c', { challenges_expire_at: 101 }),
    ])
    await open.forgetUntil(100)
    expect(await idsOf(open)).toBe('c')
  })

  test('too many for one agent: its oldest goes, those of others stay', async () => {
    const of = (agent_id: string) => ({ agent_id })
    const open = await holding({ perAgent: 2, inAll: 10 }, [
      openSession('a', of('victim')),
      ...[...'bcde'].map((id) => openSession(id)),
    ])
    expect(await idsOf(open)).toBe('ade')
  })

  test('too many in all: the oldest of any agent is evicted', async () => {
    const sessions = [...'abcdefgh'].map((id) => openSession(id, { agent_id: id }))
    expect(await idsOf(await holding({ perAgent: 2, inAll: 3 }, sessions))).toBe('fgh')
  })

  test('an answered challenge frees a place for its agent', async () => {
    const open = await holding({ perAgent: 2, inAll: 10 }, [openSession('a'), openSession('b')])
    await open.take('b')
    await open.add(openSession('c'))
    expect(await idsOf(open)).toBe('ac')
  })

  test('of many that come at the same time as many stay as may', async () => {
    const open = await holding({ perAgent: 3, inAll: 4 }, [])
    await Promise.all([...'abcdefgh'].map((id) => open.add(openSession(id))))
    await open.add(openSession('z'))
    expect((await idsOf(open)).length).toBeLessThanOrEqual(2)
    expect(await open.find('z')).toBeDefined()
  })
}
