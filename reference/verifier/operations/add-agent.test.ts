import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import {
  AGENT,
  AK,
  agentRequest,
  enrol,
  readAgent,
} from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'

const V_KEY = toBase64(new Uint8Array(32).fill(7))

test('an agent that was just added has the status record of the document', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { cloudagent_ip: '192.0.2.1', cloudagent_port: 9002, v: V_KEY })
  expect(await readAgent(verifier)).toEqual({
    operational_state: 3,
    v: V_KEY,
    ip: '192.0.2.1',
    port: '9002',
    tpm_policy: expect.stringContaining('"0"'),
    vtpm_policy: '{}',
    meta_data: '{}',
    has_mb_refstate: 0,
    has_runtime_policy: 0,
    accept_tpm_hash_algs: ['sha512', 'sha384', 'sha256'],
    accept_tpm_encryption_algs: ['ecc', 'ecc384', 'ecc521', 'rsa', 'rsa3072', 'rsa4096'],
    accept_tpm_signing_algs: ['rsassa', 'rsapss', 'ecdsa'],
    hash_alg: '',
    enc_alg: 'ecc256',
    sign_alg: '',
    verifier_id: 'default',
    verifier_ip: '127.0.0.1',
    verifier_port: 8881,
    severity_level: null,
    last_event_id: null,
    attestation_count: 0,
    last_received_quote: 0,
    last_successful_attestation: 0,
    attestation_status: 'PENDING',
    attestation_period: '2s',
    maximum_attestation_interval: '10s',
  })
})

test('the answer is empty', async () => {
  expect(await enrol(await testVerifier())).toEqual({})
})

test('nothing but the key is needed', async () => {
  const verifier = await testVerifier()
  await verifier.ask('add-agent', { agent_id: AGENT }, { ak_tpm: AK })
  expect(await readAgent(verifier)).toMatchObject({
    v: null,
    ip: null,
    port: null,
    tpm_policy: '{}',
  })
})

test.each([
  ['akRsa', 'rsa2048'],
  ['akRsapss', 'rsa2048'],
  ['akEcc256', 'ecc256'],
  ['akEcc384', 'ecc384'],
] as const)('enc_alg of %s is %s', async (key, enc_alg) => {
  const verifier = await testVerifier()
  await enrol(verifier, { ak_tpm: KEYS[key] })
  expect((await readAgent(verifier))['enc_alg']).toBe(enc_alg)
})

test('an agent is added once, and the second request changes nothing', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  const refusal = await refusalOf(() => enrol(verifier, { ak_tpm: KEYS.akRsa }))
  expect([refusal.code, refusal.status]).toEqual(['conflict', 409])
  expect((await readAgent(verifier))['enc_alg']).toBe('ecc256')
})

function withByte(base64: string, at: number, change: number): string {
  const bytes = fromBase64(base64).slice()
  bytes[at] = (bytes[at] ?? 0) ^ change
  return toBase64(bytes)
}

const POLICY = toBase64(new TextEncoder().encode(RUNTIME_POLICY))

test.each<[string, Record<string, unknown>, string, RegExp]>([
  ['no key', { ak_tpm: undefined }, '/ak_tpm', /is missing/],
  ['a key that is no text', { ak_tpm: 7 }, '/ak_tpm', /must be string/],
  ['a key that is not base64', { ak_tpm: '*' }, '/ak_tpm', /not a character/],
  ['a key cut short', { ak_tpm: AK.slice(0, 40) }, '/ak_tpm', /TPM2B_PUBLIC/],
  ['an endorsement key', { ak_tpm: KEYS.ek }, '/ak_tpm', /signing key/],
  [
    'an unrestricted key',
    { ak_tpm: withByte(KEYS.akRsa, 7, 0x01) },
    '/ak_tpm',
    /must be restricted/,
  ],
  ['a tpm_policy that is not JSON', { tpm_policy: '{' }, '/tpm_policy', /is not JSON/],
  ['a tpm_policy of PCR 24', { tpm_policy: '{"24":[]}' }, '/tpm_policy', /0 to 23/],
  [
    'a tpm_policy with a prototype name',
    { tpm_policy: '{"__proto__":[]}' },
    '/tpm_policy',
    /__proto__/,
  ],
  ['a tpm_policy as object', { tpm_policy: {} }, '/tpm_policy', /must be string/],
  ['a runtime policy that is not base64', { runtime_policy: '{}' }, '/runtime_policy', /base64/],
  ['a runtime policy that is no UTF-8', { runtime_policy: '/w==' }, '/runtime_policy', /not UTF-8/],
  ['a runtime policy that is not JSON', { runtime_policy: 'AAAA' }, '/runtime_policy', /not JSON/],
  [
    'a runtime policy of another shape',
    { runtime_policy: toBase64(Buffer.from('{}')) },
    '/runtime_policy',
    /^runtime_policy[.]meta: /,
  ],
  [
    'a policy name with a newline',
    { runtime_policy_name: 'a\nb' },
    '/runtime_policy_name',
    /visible/,
  ],
  [
    'a reference state that is no object',
    { mb_refstate: '[]' },
    '/mb_refstate',
    /^mb_refstate: exp/,
  ],
  ['a boot policy that is no object', { mb_policy: '[]' }, '/mb_policy', /^mb_policy: expected an/],
  [
    'a signature without its key',
    { runtime_policy: POLICY, runtime_policy_sig: 'AAAA' },
    '/runtime_policy_key',
    /requires it/,
  ],
  [
    'a key without its signature',
    { runtime_policy: POLICY, runtime_policy_key: 'AAAA' },
    '/runtime_policy_sig',
    /requires it/,
  ],
  [
    'a keyring that is not JSON',
    { ima_sign_verification_keys: 'keys' },
    '/ima_sign_verification_keys',
    /^ima_sign_verification_keys: is not JSON/,
  ],
  [
    'a keyring with an invalid key',
    { ima_sign_verification_keys: '{"keyids":[1],"pubkeys":["AAAA"]}' },
    '/ima_sign_verification_keys',
    /pubkeys\[0\]: is not a public key/,
  ],
  ['a V key of 31 bytes', { v: toBase64(new Uint8Array(31)) }, '/v', /32 bytes is needed/],
  ['a V key that is not base64', { v: 'secret' }, '/v', /^v: base64 of 32 bytes is needed$/],
  ['an invalid list', { accept_tpm_hash_algs: 'sha256' }, '/accept_tpm_hash_algs', /must be array/],
])('%s is refused at its member, and nothing is added', async (_, change, pointer, message) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => enrol(verifier, change))
  expect(refusal).toMatchObject({ code: 'malformed_request', status: 400, pointer })
  expect(refusal.message).toMatch(message)
  expect(await verifier.store.agents.find(AGENT)).toBeUndefined()
  expect(await verifier.store.policies.names()).toEqual([])
})

test('an invalid id is refused', async () => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => enrol(verifier, {}, 'a\nb'))
  expect(refusal).toMatchObject({ status: 400, pointer: '/agent_id' })
})

test.each(['{}', '', null, undefined])(
  'the reference state %o asks for nothing',
  async (mb_refstate) => {
    const verifier = await testVerifier()
    await enrol(verifier, { mb_refstate })
    expect((await readAgent(verifier))['has_mb_refstate']).toBe(0)
  },
)

test.each(['mb_refstate', 'mb_policy'])('a reference state may be called %s', async (name) => {
  const verifier = await testVerifier()
  await enrol(verifier, { [name]: '{"scrtm_and_bios":[]}' })
  expect((await readAgent(verifier))['has_mb_refstate']).toBe(1)
})

test('content alone is kept under the id of the agent', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { runtime_policy: POLICY })
  expect(await verifier.store.policies.names()).toEqual([AGENT])
  expect((await readAgent(verifier))['has_runtime_policy']).toBe(1)
})

test('content with a name is kept under that name', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { runtime_policy: POLICY, runtime_policy_name: 'p' })
  expect((await verifier.store.policies.find('p'))?.runtime_policy).toBe(RUNTIME_POLICY)
  expect((await verifier.store.agents.find(AGENT))?.runtime_policy_name).toBe('p')
})

test('content under a name that is taken is refused with 409, and no agent is added', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { runtime_policy: POLICY, runtime_policy_name: 'p' })
  const again = { runtime_policy: POLICY, runtime_policy_name: 'p' }
  expect(await refusalOf(() => enrol(verifier, again, 'other'))).toMatchObject({
    status: 409,
    message: 'Runtime policy with name p already exists',
  })
  expect(await verifier.store.agents.find('other')).toBeUndefined()
})

test('a name alone links the policy of that name', async () => {
  const verifier = await testVerifier()
  await verifier.ask('create-runtime-policy', { name: 'p' }, { runtime_policy: POLICY })
  await enrol(verifier, { runtime_policy_name: 'p', runtime_policy: '' })
  expect((await readAgent(verifier))['has_runtime_policy']).toBe(1)
})

test('an unknown policy name is refused with 404, and no agent is added', async () => {
  const verifier = await testVerifier()
  expect(await refusalOf(() => enrol(verifier, { runtime_policy_name: 'p' }))).toMatchObject({
    status: 404,
    message: 'Runtime policy p not found',
  })
  expect(await verifier.store.agents.find(AGENT)).toBeUndefined()
})

test.each([null, '', undefined])('the name %o without content is no policy', async (name) => {
  const verifier = await testVerifier()
  await enrol(verifier, { runtime_policy_name: name })
  expect((await readAgent(verifier))['has_runtime_policy']).toBe(0)
})

const SIGNERS = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ecdsa: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed25519: generateKeyPairSync('ed25519'),
} as const

function signed(kind: keyof typeof SIGNERS, policy = RUNTIME_POLICY) {
  const { privateKey, publicKey } = SIGNERS[kind]
  const hash = kind === 'ed25519' ? null : 'sha256'
  return {
    runtime_policy: POLICY,
    runtime_policy_sig: sign(hash, Buffer.from(policy), privateKey).toString('base64'),
    runtime_policy_key: Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })).toString(
      'base64',
    ),
  }
}

test.each(['rsa', 'ecdsa', 'ed25519'] as const)('a policy signed by %s is taken', async (kind) => {
  expect(await enrol(await testVerifier(), signed(kind))).toEqual({})
})

test.each(['rsa', 'ecdsa', 'ed25519'] as const)(
  'the signature of another policy by %s is refused',
  async (kind) => {
    const verifier = await testVerifier()
    const refusal = await refusalOf(() => enrol(verifier, signed(kind, `${RUNTIME_POLICY} `)))
    expect(refusal).toMatchObject({ status: 400, pointer: '/runtime_policy_sig' })
    expect(await verifier.store.policies.names()).toEqual([])
  },
)

test('a signature by another key is refused', async () => {
  const verifier = await testVerifier()
  const { runtime_policy_key } = signed('ecdsa')
  const refusal = await refusalOf(() => enrol(verifier, { ...signed('rsa'), runtime_policy_key }))
  expect(refusal.pointer).toBe('/runtime_policy_sig')
})

test('a private key in the place of the public one is not repeated', async () => {
  const pem = SIGNERS.rsa.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const change = { ...signed('rsa'), runtime_policy_key: pem }
  const refusal = await refusalOf(async () => enrol(await testVerifier(), change))
  expect(refusal.message).toBe('runtime_policy_key: is not a public key')
})

test('each enrolment has another name', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  const first = await verifier.store.agents.find(AGENT)
  await verifier.ask('delete-agent', { agent_id: AGENT })
  await verifier.ask('add-agent', { agent_id: AGENT }, agentRequest())
  expect((await verifier.store.agents.find(AGENT))?.enrolment).not.toBe(first?.enrolment)
})

test('the policy of a virtual TPM is shown as it was sent', async () => {
  const verifier = await testVerifier()
  const vtpm_policy = JSON.stringify({ 15: ['ab'.repeat(32)], mask: '0x8000' })
  await enrol(verifier, { vtpm_policy })
  expect(await readAgent(verifier)).toMatchObject({ vtpm_policy })
})

test.each([
  ['no JSON', '{', 'vtpm_policy: is not JSON'],
  ['no digest', '{"15": ["x"]}', 'vtpm_policy["15"][0]: expected a hexadecimal digest'],
  ['no PCR', '{"25": []}', 'vtpm_policy["25"]: '],
  ['no mask', '{"mask": 1}', 'vtpm_policy.mask: expected hexadecimal text'],
])(
  'a policy of a virtual TPM that is %s is refused by its name',
  async (_, vtpm_policy, problem) => {
    const refusal = await refusalOf(async () => enrol(await testVerifier(), { vtpm_policy }))
    expect(refusal).toMatchObject({ status: 400, pointer: '/vtpm_policy' })
    expect(refusal.message).toContain(problem)
  },
)

test.each(['', '[]', 'null'])('the keyring %j is none', async (ring) => {
  expect(await enrol(await testVerifier(), { ima_sign_verification_keys: ring })).toEqual({})
})

test('a boot policy that is null is none', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { mb_refstate: 'null' })
  expect(await readAgent(verifier)).toMatchObject({ has_mb_refstate: 0 })
})
