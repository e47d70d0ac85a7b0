import { expect, test } from 'vitest'
import { idsOf, openSession, openSessionContract } from '../../../storage/testing/open-sessions.ts'
import { openSessions } from './open-sessions.ts'

openSessionContract(openSessions)

test('those that wait are counted', () => {
  const open = openSessions({ perAgent: 10, inAll: 10 })
  for (const id of 'ab') open.add(openSession(id))
  open.take('a')
  expect(open.size).toBe(1)
  open.forgetUntil(100)
  expect(open.size).toBe(0)
})

test('an answered challenge frees its place', async () => {
  const open = openSessions({ perAgent: 2, inAll: 2 })
  for (const id of 'ab') open.add(openSession(id))
  open.take('b')
  open.add(openSession('c'))
  expect(await idsOf(open)).toBe('ac')
})
