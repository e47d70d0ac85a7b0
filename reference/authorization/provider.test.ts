import { expect, test } from 'vitest'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import type { Identity } from './identity.ts'
import { type AuthorizationProvider, checkAuthorization, type Question } from './provider.ts'

const STRANGER: Identity = { type: 'anonymous' }
const BAD: Identity = { type: 'anonymous', refusedCredential: 'Invalid authentication token' }

const questionOf = (identity: Identity): Question => ({
  identity,
  action: 'delete_agent',
  agentId: 'a',
})

/** The result of `check` with a provider, and the log. */
async function outcome(allows: AuthorizationProvider['allows'], identity = STRANGER) {
  const logged: string[] = []
  const log = { error: (_: object, message: string) => void logged.push(message) }
  const check = () => checkAuthorization({ name: 'odd', allows }, questionOf(identity), log)
  return { check, logged }
}

test.each<[string, Identity, number]>([
  ['an anonymous client', STRANGER, 403],
  ['a bad credential', BAD, 401],
  ['an agent', { type: 'agent', agentId: 'a' }, 403],
])('a denied action is refused to %s', async (_, identity, status) => {
  const { check } = await outcome(() => false, identity)
  expect((await refusalOf(check)).status).toBe(status)
})

test('a provider may answer later', async () => {
  const { check } = await outcome(() => Promise.resolve(true))
  await expect(check()).resolves.toBeUndefined()
})

test.each<[string, () => boolean | Promise<boolean>]>([
  [
    'throws',
    () => {
      throw new Error('the directory is away')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the directory is away'))],
])('a provider that %s denies without a reason, which is logged', async (_, allows) => {
  const { check, logged } = await outcome(allows)
  const refusal = await refusalOf(check)
  expect([refusal.status, refusal.message]).toEqual([
    403,
    'Action delete_agent is not allowed for anonymous.',
  ])
  expect(logged).toEqual(['authorization provider odd failed: denied'])
})

test.each(['yes', 1, {}, undefined])('%o in place of true denies', async (word) => {
  const { check } = await outcome(() => word as boolean)
  expect((await refusalOf(check)).status).toBe(403)
})
