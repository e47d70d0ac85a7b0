import { expect, test } from 'vitest'
import { toBase64 } from '../../../bytes/base64.ts'
import { refusalOf } from '../../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY, runtimePolicy } from '../../../dev/testing/runtime-policy.ts'
import { enrol } from '../../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../../dev/testing/verifier/test-verifier.ts'

const BODY = { runtime_policy: toBase64(Buffer.from(RUNTIME_POLICY)) }
const P = { name: 'p' }

async function withPolicy(change = {}): Promise<TestVerifier> {
  const verifier = await testVerifier()
  await verifier.ask('create-runtime-policy', P, { ...BODY, ...change })
  return verifier
}

test('a policy is read as it was sent', async () => {
  const verifier = await withPolicy({ tpm_policy: '{"mask":"0x1"}' })
  expect(await verifier.ask('read-runtime-policy', P)).toEqual({
    body: { name: 'p', tpm_policy: '{"mask":"0x1"}', ...BODY },
  })
})

test('a policy without tpm_policy has none', async () => {
  const verifier = await withPolicy()
  expect((await verifier.ask('read-runtime-policy', P)).body).toMatchObject({ tpm_policy: null })
})

test('a name is taken once, and the second request changes nothing', async () => {
  const verifier = await withPolicy()
  const again = { ...BODY, tpm_policy: '{}' }
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, again))
  expect(refusal).toMatchObject({
    status: 409,
    message: 'Runtime policy with name p already exists',
  })
  expect((await verifier.ask('read-runtime-policy', P)).body).toMatchObject({ tpm_policy: null })
})

const OTHER = { runtime_policy: toBase64(Buffer.from(runtimePolicy({}, ['/opt']))) }

test('a policy that is there is replaced whole', async () => {
  const verifier = await withPolicy({ tpm_policy: '{}' })
  expect(await verifier.ask('replace-runtime-policy', P, OTHER)).toEqual({})
  expect(await verifier.ask('read-runtime-policy', P)).toEqual({
    body: { name: 'p', tpm_policy: null, ...OTHER },
  })
})

test('a policy that is not there is not replaced, nor made', async () => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('replace-runtime-policy', P, OTHER))
  expect(refusal).toMatchObject({ status: 404, message: 'Runtime policy p not found' })
  expect(await verifier.store.policies.names()).toEqual([])
})

test('a replacement that cannot be read leaves the policy as it was', async () => {
  const verifier = await withPolicy()
  const body = { runtime_policy: toBase64(Buffer.from('{}')) }
  const refusal = await refusalOf(() => verifier.ask('replace-runtime-policy', P, body))
  expect(refusal).toMatchObject({ status: 400, pointer: '/runtime_policy' })
  expect((await verifier.ask('read-runtime-policy', P)).body).toMatchObject(BODY)
})

test.each<[string, object]>([
  ['meta.version', { meta: { version: 9 } }],
  ['digests["/usr/bin/true"][0]', { digests: { '/usr/bin/true': ['zz'] } }],
  ['excludes[1]', { excludes: ['/a', 4] }],
  ['keyrings', { keyrings: [] }],
  ['ima.log_hash_alg', { ima: { ignored_keyrings: [], log_hash_alg: 'md5' } }],
  ['ima-buf', { 'ima-buf': 4 }],
  ['verification-keys', { 'verification-keys': 'keys' }],
])('a policy that is wrong in %s is refused with its path', async (path, change) => {
  const verifier = await testVerifier()
  const text = JSON.stringify({ ...JSON.parse(RUNTIME_POLICY), ...change })
  const body = { runtime_policy: toBase64(Buffer.from(text)) }
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, body))
  expect(refusal).toMatchObject({ status: 400, pointer: '/runtime_policy' })
  expect(refusal.message.startsWith(`runtime_policy.${path}: `)).toBe(true)
})

test('names are listed in order', async () => {
  const verifier = await testVerifier()
  for (const name of ['b', 'a', 'c']) await verifier.ask('create-runtime-policy', { name }, BODY)
  expect(await verifier.ask('list-runtime-policies', {})).toEqual({
    body: { 'runtimepolicy names': ['a', 'b', 'c'] },
  })
})

test.each(['read-runtime-policy', 'delete-runtime-policy'] as const)(
  '%s of an unknown policy is 404',
  async (operation) => {
    const verifier = await testVerifier()
    expect(await refusalOf(() => verifier.ask(operation, P))).toMatchObject({
      status: 404,
      message: 'Runtime policy p not found',
    })
  },
)

test('an unused policy is deleted', async () => {
  const verifier = await withPolicy()
  expect(await verifier.ask('delete-runtime-policy', P)).toEqual({})
  expect(await verifier.store.policies.names()).toEqual([])
})

test('a policy in use is not deleted, also when several agents use it', async () => {
  const verifier = await withPolicy()
  for (const id of ['b', 'a']) await enrol(verifier, { runtime_policy_name: 'p' }, id)
  expect(await refusalOf(() => verifier.ask('delete-runtime-policy', P))).toMatchObject({
    status: 409,
    message: "Can't delete allowlist as it's currently in use by agent a",
  })
  expect(await verifier.store.policies.names()).toEqual(['p'])
})

test.each<[string, unknown, string]>([
  ['no body', undefined, ''],
  ['no policy', {}, '/runtime_policy'],
  ['null', { runtime_policy: null }, '/runtime_policy'],
  ['an empty policy', { runtime_policy: '' }, '/runtime_policy'],
  ['a policy as object', { runtime_policy: {} }, '/runtime_policy'],
  ['a policy that is not base64', { runtime_policy: RUNTIME_POLICY }, '/runtime_policy'],
  [
    'a policy that is no object',
    { runtime_policy: toBase64(Buffer.from('[]')) },
    '/runtime_policy',
  ],
  [
    'a policy that looks around',
    { runtime_policy: toBase64(Buffer.from(runtimePolicy({}, ['/a', '/b', '/c(?!d)']))) },
    '/runtime_policy',
  ],
  ['an invalid tpm_policy', { ...BODY, tpm_policy: '[]' }, '/tpm_policy'],
  ['half a signature', { ...BODY, runtime_policy_sig: 'AAAA' }, '/runtime_policy_key'],
])('%s is refused at its member, and nothing is stored', async (_, body, pointer) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-runtime-policy', P, body))
  expect(refusal).toMatchObject({ status: 400, pointer })
  expect(await verifier.store.policies.names()).toEqual([])
})
