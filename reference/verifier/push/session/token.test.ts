import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { AGENT, enrol, openSession, tokenOf } from '../../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../../dev/testing/verifier/test-verifier.ts'
import { authenticateToken } from './token.ts'

async function withToken(): Promise<{ verifier: TestVerifier; token: string }> {
  const verifier = await testVerifier()
  await enrol(verifier)
  return { verifier, token: await tokenOf(verifier) }
}

function ownerOf(verifier: TestVerifier, token: string) {
  return authenticateToken(verifier, token)
}

test('a live token is its agent', async () => {
  const { verifier, token } = await withToken()
  expect(await ownerOf(verifier, token)).toBe(AGENT)
})

test('a token lives until its time, and not at it', async () => {
  const { verifier, token } = await withToken()
  verifier.clock.pass(179)
  expect(await ownerOf(verifier, token)).toBe(AGENT)
  verifier.clock.pass(1)
  expect(await ownerOf(verifier, token)).toBeUndefined()
})

test.each<[string, (id: string, secret: string) => string]>([
  [
    'another secret',
    (id, secret) => `${id}.${secret.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
  ],
  ['a shorter secret', (id, secret) => `${id}.${secret.slice(0, -1)}`],
  ['a longer secret', (id, secret) => `${id}.${secret}A`],
  ['no secret', (id) => `${id}.`],
  ['no dot', (id, secret) => id + secret],
  ['the session alone', (id) => id],
  ['the secret alone', (_, secret) => `.${secret}`],
  ['three parts', (id, secret) => `${id}.${secret}.x`],
  ['an empty third part', (id, secret) => `${id}.${secret}.`],
  ['another session', (_, secret) => `00000000-0000-4000-8000-000000000000.${secret}`],
  ['the session in upper case', (id, secret) => `${id.toUpperCase()}.${secret}`],
  ['nothing', () => ''],
])('a token with %s is anonymous', async (_, change) => {
  const { verifier, token } = await withToken()
  const [id = '', secret = ''] = token.split('.')
  expect(await ownerOf(verifier, change(id, secret))).toBeUndefined()
})

test('the secret of one session does not open another', async () => {
  const { verifier, token } = await withToken()
  const other = await tokenOf(verifier)
  const [id] = token.split('.')
  expect(await ownerOf(verifier, `${id}.${other.split('.')[1]}`)).toBeUndefined()
})

test('a session whose proof is still to come has no token', async () => {
  const { verifier } = await withToken()
  const { id } = await openSession(verifier)
  expect(await ownerOf(verifier, `${id}.`)).toBeUndefined()
  expect(await ownerOf(verifier, `${id}.null`)).toBeUndefined()
})

test('a token is anonymous under another key', async () => {
  const { verifier, token } = await withToken()
  const tokenKey = createSecretKey(new Uint8Array(32))
  expect(await ownerOf({ ...verifier, tokenKey }, token)).toBeUndefined()
})

test('the database has no token, and no secret of one', async () => {
  const { verifier, token } = await withToken()
  const [id = '', secret = ''] = token.split('.')
  const row = JSON.stringify(await verifier.store.sessions.find(id))
  expect(row).not.toContain(secret)
})
