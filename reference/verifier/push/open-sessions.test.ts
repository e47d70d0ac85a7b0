import { expect, test } from 'vitest'
import { type OpenSession, openSessions } from './open-sessions.ts'

function session(id: string, change: Partial<OpenSession> = {}): OpenSession {
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

function holding(limits: { perAgent: number; inAll: number }, sessions: readonly OpenSession[]) {
  const open = openSessions(limits)
  for (const one of sessions) open.add(one)
  return open
}

function idsOf(open: ReturnType<typeof openSessions>): string {
  return [...'abcdefgh'].filter((id) => open.find(id) !== undefined).join('')
}

const ROOMY = { perAgent: 10, inAll: 10 }

test('a challenge is answered once', () => {
  const open = holding(ROOMY, [session('a')])
  expect([open.take('a'), open.take('a'), open.take('b')]).toEqual([true, false, false])
  expect(open.size).toBe(0)
})

test('what has expired is forgotten, and nothing else', () => {
  const open = holding(ROOMY, [
    session('a', { challenges_expire_at: 99 }),
    session('b', { challenges_expire_at: 100 }),
    session('c', { challenges_expire_at: 101 }),
  ])
  open.forgetUntil(100)
  expect([idsOf(open), open.size]).toEqual(['c', 1])
})

test('too many for one agent: its oldest goes, those of others stay', () => {
  const of = (agent_id: string) => ({ agent_id })
  const open = holding({ perAgent: 2, inAll: 10 }, [
    session('a', of('victim')),
    session('b'),
    session('c'),
    session('d'),
    session('e'),
  ])
  expect(idsOf(open)).toBe('ade')
})

test('too many in all: the oldest goes, whoever it is of', () => {
  const sessions = [...'abcdefgh'].map((id) => session(id, { agent_id: id }))
  expect(idsOf(holding({ perAgent: 2, inAll: 3 }, sessions))).toBe('fgh')
})

test('an answered challenge makes room', () => {
  const open = holding({ perAgent: 2, inAll: 2 }, [session('a'), session('b')])
  open.take('b')
  open.add(session('c'))
  expect(idsOf(open)).toBe('ac')
})
