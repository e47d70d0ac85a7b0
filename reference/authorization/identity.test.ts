import { expect, test } from 'vitest'
import { administratorOf, type Peer, selectIdentity, trustedClientOf } from './identity.ts'

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

const ADMIN: Peer = {
  authorized: true,
  certificate: { commonName: 'client', extendedKeyUsage: [CLIENT_AUTH] },
}
const STRANGER: Peer = { authorized: false }

function select(authorization: string | undefined, peer: Peer = STRANGER) {
  const tokens = (token: string) => Promise.resolve(token === 'id.secret' ? 'agent-1' : undefined)
  return selectIdentity({ authorization, peer }, tokens, administratorOf)
}

test('without an Authorization header the certificate decides', async () => {
  expect(await select(undefined, ADMIN)).toEqual({ type: 'admin', name: 'client' })
  expect(await select(undefined, STRANGER)).toEqual({ type: 'anonymous' })
})

test('a live token is its agent', async () => {
  expect(await select('Bearer id.secret')).toEqual({ type: 'agent', agentId: 'agent-1' })
})

test('a live token identifies its agent, also with an administrator certificate', async () => {
  expect(await select('Bearer id.secret', ADMIN)).toEqual({ type: 'agent', agentId: 'agent-1' })
})

test.each(['bearer id.secret', 'BEARER id.secret', 'Bearer  id.secret'])(
  '%o is the same header by RFC 9110',
  async (authorization) => {
    expect(await select(authorization)).toMatchObject({ type: 'agent' })
  },
)

test.each([
  ['an empty header', ''],
  ['a blank header', ' '],
  ['the scheme alone', 'Bearer'],
  ['the scheme and a blank', 'Bearer '],
  ['no blank', 'Bearerid.secret'],
  ['a tab for a blank', 'Bearer\tid.secret'],
  ['a bare token', 'id.secret'],
  ['Basic', 'Basic aWQ6c2VjcmV0'],
  ['two tokens', 'Bearer id.secret id.secret'],
  ['two credentials', 'Bearer id.secret, Bearer id.secret'],
  ['a character outside ASCII', 'Bearer id.secrét'],
])('%s is a refused credential, also with an administrator certificate', async (_, text) => {
  expect(await select(text, ADMIN)).toEqual({
    type: 'anonymous',
    refusedCredential: 'Invalid Authorization header format',
  })
})

test('a token that is not live is a refused credential, also with an administrator certificate', async () => {
  expect(await select('Bearer id.other', ADMIN)).toEqual({
    type: 'anonymous',
    refusedCredential: 'Invalid authentication token',
  })
})

test('an accepted chain with a clientAuth certificate is the administrator it names', () => {
  expect(administratorOf(ADMIN)).toBe('client')
})

test('a clientAuth certificate without a common name is an administrator too', () => {
  const certificate = { commonName: undefined, extendedKeyUsage: [CLIENT_AUTH] }
  expect(administratorOf({ authorized: true, certificate })).toBe('a client without a name')
})

test.each<[string, Peer]>([
  ['an accepted chain without a certificate', { authorized: true }],
  ['a certificate of a refused chain', { ...ADMIN, authorized: false }],
  [
    'a serverAuth certificate',
    { authorized: true, certificate: { commonName: 'client', extendedKeyUsage: [SERVER_AUTH] } },
  ],
  [
    'a certificate without extended key usage',
    { authorized: true, certificate: { commonName: 'client', extendedKeyUsage: undefined } },
  ],
])('%s is no administrator', (_, peer) => {
  expect(administratorOf(peer)).toBeUndefined()
})

const named = (...extendedKeyUsage: readonly string[]): Peer => ({
  authorized: true,
  certificate: { commonName: 'verifier', extendedKeyUsage },
})
const UNNAMED: Peer = {
  authorized: true,
  certificate: { commonName: 'verifier', extendedKeyUsage: undefined },
}

test.each<[string, Peer]>([
  ['for clients', named(CLIENT_AUTH)],
  ['for both', named(SERVER_AUTH, CLIENT_AUTH)],
  ['for no use in particular', UNNAMED],
])('a pull agent answers a certificate of its authority %s', (_, peer) => {
  expect(trustedClientOf(peer)).toBe('verifier')
})

test.each<[string, Peer]>([
  ['an accepted chain without a certificate', { authorized: true }],
  ['a certificate of a refused chain', { ...UNNAMED, authorized: false }],
  ['a certificate for servers', named(SERVER_AUTH)],
])('a pull agent answers not to %s', (_, peer) => {
  expect(trustedClientOf(peer)).toBeUndefined()
})
