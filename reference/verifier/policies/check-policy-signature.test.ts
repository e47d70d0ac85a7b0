import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import { enrol } from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { issueCertificate } from '../../evidence/testing/issue-certificate.ts'

const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const TYPE = 'application/vnd.keylime+json'
const P = { name: 'p' }

function base64(text: string | Uint8Array): string {
  return toBase64(Buffer.from(text))
}

function pem({ publicKey }: { publicKey: KeyObject }): string {
  return base64(publicKey.export({ format: 'pem', type: 'spki' }).toString())
}

/** The policy in an envelope that a key signed. */
function envelope(key = signer.privateKey, keyid = 'who', payload = RUNTIME_POLICY): string {
  const bytes = Buffer.from(payload)
  const message = Buffer.concat([
    Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${bytes.length} `),
    bytes,
  ])
  const sig = sign('sha256', message, key).toString('base64')
  return JSON.stringify({
    payload: bytes.toString('base64'),
    payloadType: TYPE,
    signatures: [{ keyid, sig }],
  })
}

function body(policy: string, change: Readonly<Record<string, unknown>> = {}) {
  return { runtime_policy: base64(policy), ...change }
}

async function create(request: unknown, settings: readonly string[] = []) {
  const verifier = await testVerifier({ settings })
  await verifier.ask('create-runtime-policy', P, request)
  return verifier
}

test('a policy in an envelope is taken, and read as it was sent', async () => {
  const sent = envelope()
  const verifier = await create(body(sent, { runtime_policy_key: pem(signer) }))
  const { body: read } = await verifier.ask('read-runtime-policy', P)
  expect(read).toMatchObject({ runtime_policy: base64(sent) })
})

test.each<[string, () => unknown, number, string]>([
  [
    'that another key signed',
    () => body(envelope(other.privateKey), { runtime_policy_key: pem(signer) }),
    401,
    '/runtime_policy',
  ],
  [
    'whose payload was changed',
    () => {
      const { payload: _, ...rest } = JSON.parse(envelope())
      const payload = base64(`${RUNTIME_POLICY} `)
      return body(JSON.stringify({ payload, ...rest }), { runtime_policy_key: pem(signer) })
    },
    401,
    '/runtime_policy',
  ],
  ['without its key', () => body(envelope()), 401, '/runtime_policy_key'],
  [
    'whose members are written with escapes, without its key',
    () => body(envelope().replaceAll('payload', '\\u0070ayload')),
    401,
    '/runtime_policy_key',
  ],
  [
    'around something that is no policy',
    () => body(envelope(signer.privateKey, '', '{}'), { runtime_policy_key: pem(signer) }),
    400,
    '/runtime_policy',
  ],
  [
    'with an invalid key',
    () => body(envelope(), { runtime_policy_key: 'AAAA' }),
    400,
    '/runtime_policy_key',
  ],
  [
    'without signatures',
    () => body(JSON.stringify({ ...JSON.parse(envelope()), signatures: [] })),
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
  ['without its key', () => body(MARK + envelope()), 401, '/runtime_policy_key'],
  [
    'that another key signed',
    () => body(MARK + envelope(other.privateKey), { runtime_policy_key: pem(signer) }),
    401,
    '/runtime_policy',
  ],
  ['behind a second mark', () => body(MARK + MARK + envelope()), 400, '/runtime_policy'],
])('an envelope behind a byte order mark %s is refused', async (_, make, status, pointer) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, make()))
  expect(refusal).toMatchObject({ status, pointer })
  expect(await verifier.store.policies.names()).toEqual([])
})

test('a signed envelope behind a byte order mark is taken', async () => {
  await create(body(MARK + envelope(), { runtime_policy_key: pem(signer) }))
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
  for (const policy of [body(envelope()), detached(RUNTIME_POLICY)]) {
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
    ...body(RUNTIME_POLICY, { runtime_policy_sig: sig }),
    runtime_policy_key: base64(pemOf(rsa.publicKey, 'pkcs1' as 'spki')),
  })
  await create({
    ...detached(RUNTIME_POLICY),
    runtime_policy_key: base64(new X509Certificate(certificate).toString()),
  })
})

test('an envelope that carries the certificate of its signer needs no key', async () => {
  const certificate = base64(await issueCertificate(signer.publicKey))
  await create(body(envelope(signer.privateKey, certificate)))
  const stolen = body(envelope(other.privateKey, certificate))
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, stolen))
  expect(refusal).toMatchObject({ status: 401, pointer: '/runtime_policy' })
})

test('a key that is given counts, and not the certificate in the envelope', async () => {
  const certificate = base64(await issueCertificate(other.publicKey))
  const change = { runtime_policy_key: pem(signer) }
  await create(body(envelope(signer.privateKey, certificate), change))
  const verifier = await testVerifier()
  const forged = body(envelope(other.privateKey, certificate), change)
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, forged))
  expect(refusal.status).toBe(401)
})

const REQUIRED = ['require_allow_list_signatures=True']

function detached(policy: string) {
  const sig = base64(sign('sha256', Buffer.from(policy), signer.privateKey))
  return body(policy, { runtime_policy_sig: sig, runtime_policy_key: pem(signer) })
}

test('where policies have to be signed, an envelope and a detached signature are taken', async () => {
  await create(body(envelope(), { runtime_policy_key: pem(signer) }), REQUIRED)
  await create(detached(RUNTIME_POLICY), REQUIRED)
})

test.each<[string, () => unknown, number]>([
  ['no signature and no key', () => body(RUNTIME_POLICY), 401],
  ['an envelope and no key', () => body(envelope()), 401],
  ['a key and no signature', () => body(RUNTIME_POLICY, { runtime_policy_key: pem(signer) }), 400],
  [
    'an envelope that another key signed',
    () => body(envelope(other.privateKey), { runtime_policy_key: pem(signer) }),
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
  const request = body(envelope(signer.privateKey, certificate))
  const verifier = await testVerifier({ settings: REQUIRED })
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, request))
  expect(refusal).toMatchObject({ status: 401, pointer: '/runtime_policy_key' })
})

test('where policies have to be signed, an agent without a policy or with a stored one is added', async () => {
  const verifier = await create(detached(RUNTIME_POLICY), REQUIRED)
  expect(await enrol(verifier, { runtime_policy_name: 'p' }, 'with')).toEqual({})
  expect(await enrol(verifier, {}, 'without')).toEqual({})
  const unsigned = () => enrol(verifier, body(RUNTIME_POLICY), 'unsigned')
  expect((await refusalOf(unsigned)).status).toBe(401)
})

test('an agent is added with a policy in an envelope', async () => {
  const verifier = await testVerifier()
  const change = body(envelope(), { runtime_policy_key: pem(signer) })
  expect(await enrol(verifier, change)).toEqual({})
  const forged = body(envelope(other.privateKey), { runtime_policy_key: pem(signer) })
  expect((await refusalOf(() => enrol(verifier, forged, 'b'))).status).toBe(401)
})
