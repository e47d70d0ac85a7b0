import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import { enrol } from '../../dev/testing/verifier/push-requests.ts'
import {
  base64,
  detached,
  envelopeOf,
  other,
  pemKey,
  signer,
  upload,
} from '../../dev/testing/verifier/signed-policies.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { issueCertificate } from '../../evidence/testing/issue-certificate.ts'

const P = { name: 'p' }

/** The text of an envelope around a policy. */
function envelope(key = signer.privateKey, keyid = 'who', payload = RUNTIME_POLICY): string {
  return JSON.stringify(envelopeOf(payload, key, keyid))
}

async function create(request: unknown, settings: readonly string[] = []) {
  const verifier = await testVerifier({ settings })
  await verifier.ask('create-runtime-policy', P, request)
  return verifier
}

test('a policy in an envelope is taken, and read as it was sent', async () => {
  const sent = envelope()
  const verifier = await create(upload(sent, { runtime_policy_key: pemKey(signer) }))
  const { body: read } = await verifier.ask('read-runtime-policy', P)
  expect(read).toMatchObject({ runtime_policy: base64(sent) })
})

test.each<[string, () => unknown, number, string]>([
  [
    'that another key signed',
    () => upload(envelope(other.privateKey), { runtime_policy_key: pemKey(signer) }),
    401,
    '/runtime_policy',
  ],
  [
    'whose payload was changed',
    () => {
      const { payload: _, ...rest } = JSON.parse(envelope())
      const payload = base64(`${RUNTIME_POLICY} `)
      return upload(JSON.stringify({ payload, ...rest }), { runtime_policy_key: pemKey(signer) })
    },
    401,
    '/runtime_policy',
  ],
  ['without its key', () => upload(envelope()), 401, '/runtime_policy_key'],
  [
    'whose members are written with escapes, without its key',
    () => upload(envelope().replaceAll('payload', '\\u0070ayload')),
    401,
    '/runtime_policy_key',
  ],
  [
    'around something that is no policy',
    () => upload(envelope(signer.privateKey, '', '{}'), { runtime_policy_key: pemKey(signer) }),
    400,
    '/runtime_policy',
  ],
  [
    'with an invalid key',
    () => upload(envelope(), { runtime_policy_key: 'AAAA' }),
    400,
    '/runtime_policy_key',
  ],
  [
    'without signatures',
    () => upload(JSON.stringify({ ...JSON.parse(envelope()), signatures: [] })),
    400,
    '/runtime_policy',
  ],
])('an envelope %s is refused, and nothing is stored', async (_, make, status, pointer) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, make()))
  expect(refusal).toMatchObject({ status, pointer })
  expect(await verifier.store.policies.names()).toEqual([])
})

const MARK = '\u{feff}'

test.each<[string, () => unknown, number, string]>([
  ['without its key', () => upload(MARK + envelope()), 401, '/runtime_policy_key'],
  [
    'that another key signed',
    () => upload(MARK + envelope(other.privateKey), { runtime_policy_key: pemKey(signer) }),
    401,
    '/runtime_policy',
  ],
  ['behind a second mark', () => upload(MARK + MARK + envelope()), 400, '/runtime_policy'],
])('an envelope behind a byte order mark %s is refused', async (_, make, status, pointer) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, make()))
  expect(refusal).toMatchObject({ status, pointer })
  expect(await verifier.store.policies.names()).toEqual([])
})

test('a signed envelope behind a byte order mark is taken', async () => {
  await create(upload(MARK + envelope(), { runtime_policy_key: pemKey(signer) }))
})

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pemOf = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki') =>
  key.export({ format: 'pem', type }).toString()

test.each<[string, () => string | Uint8Array]>([
  ['a private key', () => pemOf(signer.privateKey, 'pkcs8')],
  ['a private key of its kind', () => pemOf(signer.privateKey, 'sec1')],
  ['a private RSA key', () => pemOf(rsa.privateKey, 'pkcs1')],
  ['a private key in DER', () => signer.privateKey.export({ format: 'der', type: 'pkcs8' })],
  [
    'a public key with the private one behind it',
    () => pemOf(signer.publicKey, 'spki') + pemOf(signer.privateKey, 'pkcs8'),
  ],
  [
    'a public key with the private one before it',
    () => pemOf(signer.privateKey, 'sec1') + pemOf(signer.publicKey, 'spki'),
  ],
])('%s is no key for signatures of policies', async (_, key) => {
  const verifier = await testVerifier()
  for (const policy of [upload(envelope()), detached(RUNTIME_POLICY)]) {
    const request = { ...policy, runtime_policy_key: base64(key()) }
    const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, request))
    expect(refusal).toMatchObject({ status: 400, pointer: '/runtime_policy_key' })
  }
  expect(await verifier.store.policies.names()).toEqual([])
})

test('a public RSA key of its kind is a key, and so is a certificate', async () => {
  const sig = base64(sign('sha256', Buffer.from(RUNTIME_POLICY), rsa.privateKey))
  const certificate = await issueCertificate(signer.publicKey)
  await create({
    ...upload(RUNTIME_POLICY, { runtime_policy_sig: sig }),
    runtime_policy_key: base64(pemOf(rsa.publicKey, 'pkcs1' as 'spki')),
  })
  await create({
    ...detached(RUNTIME_POLICY),
    runtime_policy_key: base64(new X509Certificate(certificate).toString()),
  })
})

test('an envelope that carries the certificate of its signer needs no key', async () => {
  const certificate = base64(await issueCertificate(signer.publicKey))
  await create(upload(envelope(signer.privateKey, certificate)))
  const stolen = upload(envelope(other.privateKey, certificate))
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, stolen))
  expect(refusal).toMatchObject({ status: 401, pointer: '/runtime_policy' })
})

test('a key that is given counts, and not the certificate in the envelope', async () => {
  const certificate = base64(await issueCertificate(other.publicKey))
  const change = { runtime_policy_key: pemKey(signer) }
  await create(upload(envelope(signer.privateKey, certificate), change))
  const verifier = await testVerifier()
  const forged = upload(envelope(other.privateKey, certificate), change)
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, forged))
  expect(refusal.status).toBe(401)
})

const REQUIRED = ['require_allow_list_signatures=True']

test('where policies have to be signed, an envelope and a detached signature are taken', async () => {
  await create(upload(envelope(), { runtime_policy_key: pemKey(signer) }), REQUIRED)
  await create(detached(RUNTIME_POLICY), REQUIRED)
})

test.each<[string, () => unknown, number]>([
  ['no signature and no key', () => upload(RUNTIME_POLICY), 401],
  ['an envelope and no key', () => upload(envelope()), 401],
  [
    'a key and no signature',
    () => upload(RUNTIME_POLICY, { runtime_policy_key: pemKey(signer) }),
    400,
  ],
  [
    'an envelope that another key signed',
    () => upload(envelope(other.privateKey), { runtime_policy_key: pemKey(signer) }),
    401,
  ],
])('where policies have to be signed, %s is refused', async (_, make, status) => {
  const verifier = await testVerifier({ settings: REQUIRED })
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, make()))
  expect(refusal.status).toBe(status)
  expect(await verifier.store.policies.names()).toEqual([])
})

test('where policies have to be signed, an envelope that only carries a certificate is refused', async () => {
  const certificate = base64(await issueCertificate(signer.publicKey))
  const request = upload(envelope(signer.privateKey, certificate))
  const verifier = await testVerifier({ settings: REQUIRED })
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, request))
  expect(refusal).toMatchObject({ status: 401, pointer: '/runtime_policy_key' })
})

test('where policies have to be signed, an agent without a policy or with a stored one is added', async () => {
  const verifier = await create(detached(RUNTIME_POLICY), REQUIRED)
  expect(await enrol(verifier, { runtime_policy_name: 'p' }, 'with')).toEqual({})
  expect(await enrol(verifier, {}, 'without')).toEqual({})
  const unsigned = () => enrol(verifier, upload(RUNTIME_POLICY), 'unsigned')
  expect((await refusalOf(unsigned)).status).toBe(401)
})

test('an agent is added with a policy in an envelope', async () => {
  const verifier = await testVerifier()
  const change = upload(envelope(), { runtime_policy_key: pemKey(signer) })
  expect(await enrol(verifier, change)).toEqual({})
  const forged = upload(envelope(other.privateKey), { runtime_policy_key: pemKey(signer) })
  expect((await refusalOf(() => enrol(verifier, forged, 'b'))).status).toBe(401)
})
