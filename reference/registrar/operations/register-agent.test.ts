import { createHmac, createPublicKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { callOf } from '../../dev/testing/call-of.ts'
import { issueEkCertificate } from '../../dev/testing/certificates/issue-ek-certificate.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { seededRandom } from '../../dev/testing/seeded-random.ts'
import { AGENT, REGISTRATION, testRegistrar } from '../../dev/testing/test-registrar.ts'
import { registerAgent } from './register-agent.ts'

const MODULUS_AT = 60

function withByte(base64: string, at: number, change: number): string {
  const bytes = fromBase64(base64).slice()
  bytes[at] = (bytes[at] ?? 0) ^ change
  return toBase64(bytes)
}

test('the first registration answers with a blob in the layout of tpm2-tools', async () => {
  const { register } = await testRegistrar()
  const { body } = await register()
  const blob = Buffer.from((body as { blob: string }).blob, 'base64')
  expect([blob.length, blob.subarray(0, 8).toString('hex')]).toEqual([336, 'badcc0de00000001'])
})

test('the first registration is inactive, counted once, and stored as sent', async () => {
  const { register, store } = await testRegistrar()
  await register({ mtls_cert: 'disabled' })
  expect(await store.find(AGENT)).toMatchObject({
    ...REGISTRATION,
    ek_tpm: KEYS.ek,
    port: 9002,
    mtls_cert: 'disabled',
    regcount: 1,
    active: 0,
    pending: null,
  })
})

test('the tag is the HMAC-SHA-384 of the agent id under the base64 of a 32-character secret', async () => {
  const { register, store } = await testRegistrar()
  await register()
  const secret = Buffer.from(seededRandom().bytes(16)).toString('hex')
  const key = Buffer.from(secret).toString('base64')
  const tag = createHmac('sha384', key).update(AGENT).digest('hex')
  expect((await store.find(AGENT))?.expected_tag).toBe(tag)
})

test('in 3.0 the body names the agent', async () => {
  const { store, parts } = await testRegistrar()
  const register = registerAgent(parts)
  await register(callOf({}, { ...REGISTRATION, agent_id: AGENT }))
  expect(await store.find(AGENT)).toBeDefined()
})

test('a body that names no agent, where it should, is refused', async () => {
  const { parts } = await testRegistrar()
  const register = registerAgent(parts)
  expect(await refusalOf(() => register(callOf({}, REGISTRATION)))).toMatchObject({
    status: 400,
    pointer: '/agent_id',
  })
})

test.each(['a\nb', '../x', 'a b', 'x'.repeat(81)])('the id %o is refused', async (agent_id) => {
  const { store, parts } = await testRegistrar()
  const register = registerAgent(parts)
  const call = callOf({}, { ...REGISTRATION, agent_id })
  expect(await refusalOf(() => register(call))).toMatchObject({ status: 400, pointer: '/agent_id' })
  expect(await store.find(AGENT)).toBeUndefined()
})

test('the same TPM registers again: another blob, counted twice, still active', async () => {
  const { register, activate, store } = await testRegistrar()
  const first = await register()
  await activate()
  const second = await register()
  expect(second).not.toEqual(first)
  expect(await store.find(AGENT)).toMatchObject({ regcount: 2, active: 1 })
})

test.each([
  ['another AIK', { aik_tpm: KEYS.akRsapss }],
  ['another EK', { ekcert: null, ek_tpm: withByte(KEYS.ek, 315, 2) }],
])('%s is refused with 403, and the active record stays as it is', async (_, change) => {
  const { register, activate, store } = await testRegistrar()
  await register()
  await activate()
  const before = await store.find(AGENT)
  expect(await refusalOf(() => register(change))).toMatchObject({
    code: 'identity_taken',
    status: 403,
  })
  expect(await store.find(AGENT)).toEqual(before)
})

test('another certificate of the same EK is refused with 403, and the active record stays as it is', async () => {
  const { register, activate, store } = await testRegistrar()
  await register()
  await activate()
  const before = await store.find(AGENT)
  const ekcert = await issueEkCertificate(KEYS.ekcert)
  expect(await refusalOf(() => register({ ekcert }))).toMatchObject({ status: 403 })
  expect(await store.find(AGENT)).toEqual(before)
})

const OTHER_TPM = { aik_tpm: KEYS.akRsapss, ekcert: null, ek_tpm: withByte(KEYS.ek, 315, 2) }

test('a record that was not activated gives way to another TPM, and leaves nothing of itself', async () => {
  const { register, activate, ask, store } = await testRegistrar()
  await register()
  const earlier = (await store.find(AGENT))?.expected_tag
  await register(OTHER_TPM)
  expect(await store.find(AGENT)).toMatchObject({ ...OTHER_TPM, regcount: 1, active: 0 })
  const late = () => ask('activate-agent', { auth_tag: earlier })
  expect(await refusalOf(late)).toMatchObject({ status: 400, pointer: '/auth_tag' })
  await activate()
  expect(await refusalOf(() => register())).toMatchObject({ status: 403 })
})

test('of two TPMs that register one id at once the later one can activate it', async () => {
  const { register, activate, store } = await testRegistrar()
  await Promise.all([{}, OTHER_TPM].map((change) => register(change)))
  expect(await store.find(AGENT)).toMatchObject({ ...OTHER_TPM, regcount: 1 })
  await activate()
  expect(await store.find(AGENT)).toMatchObject({ ...OTHER_TPM, active: 1 })
})

test('after its deletion an id is free', async () => {
  const { register, ask, store } = await testRegistrar()
  await register()
  await ask('delete-agent')
  await register({ aik_tpm: KEYS.akRsapss })
  expect(await store.find(AGENT)).toMatchObject({ aik_tpm: KEYS.akRsapss, regcount: 1 })
})

test('a certificate may be left out the second time; the first one stays', async () => {
  const { register, store } = await testRegistrar()
  await register()
  await register({ ekcert: null, ek_tpm: KEYS.ek })
  expect(await store.find(AGENT)).toMatchObject({ ekcert: KEYS.ekcert, regcount: 2 })
})

test('a repeated registration changes no contact of an active record before it is activated', async () => {
  const { register, activate, ask } = await testRegistrar()
  await register({ mtls_cert: 'disabled' })
  await activate()
  const before = (await ask('read-agent')).body
  const pem = new X509Certificate(fromBase64(KEYS.ekcert)).toString()
  await register({ mtls_cert: pem, ip: '203.0.113.9', port: 1 })
  expect((await ask('read-agent')).body).toEqual({ ...(before as object), regcount: 2 })
  await activate()
  expect((await ask('read-agent')).body).toMatchObject({
    mtls_cert: pem,
    ip: '203.0.113.9',
    port: 1,
  })
})

test('a self-made certificate for the EK of an active record waits for the TPM too', async () => {
  const { register, activate, store } = await testRegistrar()
  await register({ ekcert: null, ek_tpm: KEYS.ek })
  await activate()
  await register({ ekcert: await issueEkCertificate(KEYS.ekcert) })
  expect((await store.find(AGENT))?.ekcert).toBeNull()
  await register({ ekcert: KEYS.ekcert })
  await activate()
  expect((await store.find(AGENT))?.ekcert).toBe(KEYS.ekcert)
})

test('a certificate alone gives the EK of its key', async () => {
  const { register, store } = await testRegistrar()
  await register({ ekcert: KEYS.ekcert })
  expect(await store.find(AGENT)).toMatchObject({ ekcert: KEYS.ekcert, ek_tpm: KEYS.ek })
})

test('a certificate in PEM is kept as base64 DER', async () => {
  const { register, store } = await testRegistrar()
  await register({ ekcert: new X509Certificate(fromBase64(KEYS.ekcert)).toString() })
  expect((await store.find(AGENT))?.ekcert).toBe(KEYS.ekcert)
})

test('an EK alone is enough', async () => {
  const { register, store } = await testRegistrar()
  await register({ ekcert: null, ek_tpm: KEYS.ek })
  expect(await store.find(AGENT)).toMatchObject({ ekcert: null, ek_tpm: KEYS.ek })
})

test('an empty ek_tpm is none', async () => {
  const { register, store } = await testRegistrar()
  await register({ ek_tpm: '' })
  expect((await store.find(AGENT))?.ek_tpm).toBe(KEYS.ek)
})

test('an EK with the certificate of its key is accepted', async () => {
  const { register, store } = await testRegistrar()
  await register({ ek_tpm: KEYS.ek })
  expect((await store.find(AGENT))?.ek_tpm).toBe(KEYS.ek)
})

test('the modulus of the recorded EK is where these tests change it', () => {
  const key = createPublicKey(
    new X509Certificate(fromBase64(KEYS.ekcert)).publicKey.export({ format: 'pem', type: 'spki' }),
  )
  const modulus = Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url')
  expect(Buffer.from(fromBase64(KEYS.ek)).subarray(MODULUS_AT)).toEqual(modulus)
})

test.each<[string, Record<string, unknown>, string, RegExp]>([
  [
    'neither certificate nor EK',
    { ekcert: null },
    '/ekcert',
    /an EK certificate or an ek_tpm is needed/,
  ],
  ['an empty certificate and no EK', { ekcert: '' }, '/ekcert', /is needed/],
  [
    'an EK with the certificate of another',
    { ek_tpm: withByte(KEYS.ek, 315, 2) },
    '/ek_tpm',
    /is not the key of the EK certificate/,
  ],
  ['an invalid certificate', { ekcert: 'AAAA' }, '/ekcert', /is not a certificate/],
  ['the word emulator', { ekcert: 'emulator' }, '/ekcert', /is not a certificate/],
  [
    'a certificate of a key without template',
    { ekcert: KEYS.ekcertEcc384 },
    '/ekcert',
    /no default EK template/,
  ],
  ['an EK cut short', { ekcert: null, ek_tpm: KEYS.ek.slice(0, 40) }, '/ek_tpm', /^ek_tpm: /],
  ['an EK that is not base64', { ekcert: null, ek_tpm: '*' }, '/ek_tpm', /^ek_tpm: /],
  ['an AIK cut short', { aik_tpm: KEYS.akRsa.slice(0, 40) }, '/aik_tpm', /^aik_tpm: /],
  ['no AIK', { aik_tpm: undefined }, '/aik_tpm', /is missing/],
  ['the EK for an AIK', { aik_tpm: KEYS.ek }, '/aik_tpm', /an attestation key must/],
  [
    'an unrestricted AIK',
    { aik_tpm: withByte(KEYS.akRsa, 7, 0x01) },
    '/aik_tpm',
    /must be restricted/,
  ],
  [
    'an AIK that can leave its TPM',
    { aik_tpm: withByte(KEYS.akRsa, 9, 0x02) },
    '/aik_tpm',
    /must be fixed to its TPM/,
  ],
  ['a port above 65535', { port: '65536' }, '/port', /above 65535/],
  ['a port with a blank', { port: '443 ' }, '/port', /must match pattern/],
  ['a negative port', { port: -1 }, '/port', /^\/port: /],
  ['half a port', { port: 1.5 }, '/port', /^\/port: /],
  ['a newline in the address', { ip: '192.0.2.1\nWARNING' }, '/ip', /an IP address or a host name/],
  ['a URL for an address', { ip: 'http://x/' }, '/ip', /an IP address or a host name/],
  ['an invalid server certificate', { mtls_cert: 'x' }, '/mtls_cert', /is not a certificate/],
  ['an id as number', { agent_id: 7 }, '/agent_id', /must be string/],
])(
  '%s is refused at its member, and nothing is registered',
  async (_, change, pointer, message) => {
    const { register, store } = await testRegistrar()
    const refusal = await refusalOf(() => register(change))
    expect(refusal).toMatchObject({ code: 'malformed_request', pointer })
    expect(refusal.message).toMatch(message)
    expect(await store.find(AGENT)).toBeUndefined()
  },
)

test('a private key with the server certificate is refused, and not repeated', async () => {
  const { register } = await testRegistrar()
  const pem = new X509Certificate(fromBase64(KEYS.ekcert)).toString()
  const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n'
  const refusal = await refusalOf(() => register({ mtls_cert: pem + key }))
  expect(refusal.pointer).toBe('/mtls_cert')
  expect(refusal.message).toBe('mtls_cert: holds something besides certificates')
})

test.each<[unknown, number | null]>([
  ['9002', 9002],
  ['0', 0],
  ['00443', 443],
  [443, 443],
  [65_535, 65_535],
  [null, null],
  [undefined, null],
])('port %o is kept as %o', async (port, kept) => {
  const { register, store } = await testRegistrar()
  await register({ port })
  expect((await store.find(AGENT))?.port).toBe(kept)
})

test.each(['::1', 'fe80::1%eth0', 'host-1.example', '', null])('address %o is kept', async (ip) => {
  const { register, store } = await testRegistrar()
  await register({ ip })
  expect((await store.find(AGENT))?.ip).toBe(ip)
})

test('a server certificate in base64 DER is kept as PEM', async () => {
  const { register, store } = await testRegistrar()
  await register({ mtls_cert: KEYS.ekcert })
  const pem = new X509Certificate(fromBase64(KEYS.ekcert)).toString()
  expect((await store.find(AGENT))?.mtls_cert).toBe(pem)
})

test.each(['akRsa', 'akRsapss', 'akEcc256', 'akEcc384'] as const)('%s is an AIK', async (key) => {
  const { register, store } = await testRegistrar()
  await register({ aik_tpm: KEYS[key] })
  expect((await store.find(AGENT))?.aik_tpm).toBe(KEYS[key])
})

test('two registrations of one agent have two secrets', async () => {
  const { register, store } = await testRegistrar()
  await register()
  const first = (await store.find(AGENT))?.expected_tag
  await register()
  expect((await store.find(AGENT))?.expected_tag).not.toBe(first)
})

test('a body that names another agent than the path does registers neither', async () => {
  const { register, store } = await testRegistrar()
  expect(await refusalOf(() => register({ agent_id: 'another' }))).toMatchObject({
    status: 400,
    pointer: '/agent_id',
  })
  expect(await store.find(AGENT)).toBeUndefined()
  await register({ agent_id: AGENT })
  expect(await store.find(AGENT)).toBeDefined()
})
