import { expect, test } from 'vitest'
import { refusalOf } from '../../../dev/testing/refusal-of.ts'
import {
  AGENT,
  attest,
  begin,
  capabilities,
  enrol,
  evidenceFor,
  logOffer,
  quoteOffer,
  readAgent,
  readAttestation,
} from '../../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../../dev/testing/verifier/test-verifier.ts'

const MB_POLICY = '{"has_secureboot":false}'
const OTHER = '{"has_secureboot":true}'
const BODY = { mb_policy: MB_POLICY }
const P = { name: 'p' }

async function withPolicy(body: unknown = BODY): Promise<TestVerifier> {
  const verifier = await testVerifier()
  expect(await verifier.ask('create-boot-policy', P, body)).toEqual({})
  return verifier
}

async function contentOf(verifier: TestVerifier): Promise<unknown> {
  const { body } = await verifier.ask('read-boot-policy', P)
  return (body as { mb_policy: unknown }).mb_policy
}

test.each(['mb_policy', 'mb_refstate'])(
  'a policy sent as %s is read as mb_policy',
  async (name) => {
    const verifier = await withPolicy({ [name]: MB_POLICY })
    expect(await verifier.ask('read-boot-policy', P)).toEqual({
      body: { name: 'p', mb_policy: MB_POLICY },
    })
  },
)

test('a name is taken once, and the second request changes nothing', async () => {
  const verifier = await withPolicy()
  const again = () => verifier.ask('create-boot-policy', P, { mb_policy: '{}' })
  expect(await refusalOf(again)).toMatchObject({
    status: 409,
    message: 'Measured boot policy with name p already exists',
  })
  expect(await contentOf(verifier)).toBe(MB_POLICY)
})

test('a policy is replaced, and one that is not there is not made', async () => {
  const verifier = await withPolicy()
  const body = { mb_policy: OTHER }
  expect(await verifier.ask('replace-boot-policy', P, body)).toEqual({})
  expect(await contentOf(verifier)).toBe(OTHER)
  const other = () => verifier.ask('replace-boot-policy', { name: 'q' }, body)
  expect(await refusalOf(other)).toMatchObject({ status: 404 })
  expect(await verifier.store.bootPolicies.names()).toEqual(['p'])
})

test('names are listed in order', async () => {
  const verifier = await testVerifier()
  for (const name of ['b', 'a']) await verifier.ask('create-boot-policy', { name }, BODY)
  expect(await verifier.ask('list-boot-policies', {})).toEqual({
    body: { 'mbpolicy names': ['a', 'b'] },
  })
})

test.each(['read-boot-policy', 'delete-boot-policy'] as const)(
  '%s of an unknown policy is 404',
  async (operation) => {
    const verifier = await testVerifier()
    expect(await refusalOf(() => verifier.ask(operation, P))).toMatchObject({
      status: 404,
      message: 'Measured boot policy p not found',
    })
  },
)

test('an unused policy is deleted', async () => {
  const verifier = await withPolicy()
  expect(await verifier.ask('delete-boot-policy', P)).toEqual({})
  expect(await verifier.store.bootPolicies.names()).toEqual([])
})

test('a policy in use is not deleted, also when several agents use it', async () => {
  const verifier = await withPolicy()
  for (const id of ['b', 'a']) await enrol(verifier, { mb_policy_name: 'p' }, id)
  expect(await refusalOf(() => verifier.ask('delete-boot-policy', P))).toMatchObject({
    status: 409,
    message: 'Measured boot policy p is in use by agent a',
  })
  expect(await verifier.store.bootPolicies.names()).toEqual(['p'])
})

test('an agent is added with the name of a policy, of one that is there', async () => {
  const verifier = await withPolicy()
  const missing = () => enrol(verifier, { mb_policy_name: 'q' })
  expect(await refusalOf(missing)).toMatchObject({ status: 404 })
  await enrol(verifier, { mb_policy_name: 'p' })
  expect((await readAgent(verifier))['has_mb_refstate']).toBe(1)
})

test('a name with content is a conflict where the name is taken', async () => {
  const verifier = await withPolicy()
  const again = () => enrol(verifier, { mb_policy_name: 'p', mb_refstate: OTHER })
  expect(await refusalOf(again)).toMatchObject({ status: 409 })
  expect(await contentOf(verifier)).toBe(MB_POLICY)
  await enrol(verifier, { mb_policy_name: 'q', mb_refstate: OTHER })
  expect(await verifier.store.bootPolicies.names()).toEqual(['p', 'q'])
})

const ALL_PCRS = Array.from({ length: 24 }, (_, number) => number)
const OFFERS = capabilities([quoteOffer({ available_subjects: ALL_PCRS }), logOffer('uefi_log')])

test('an agent is evaluated against the current content of its policy', async () => {
  const verifier = await withPolicy()
  await enrol(verifier, { mb_policy_name: 'p' })
  const requestedOf = async () =>
    (await begin(verifier, OFFERS)).attributes.evidence_requested?.map((one) => one.evidence_type)
  expect(await requestedOf()).toEqual(['tpm_quote', 'uefi_log'])
  await verifier.ask('replace-boot-policy', P, { mb_policy: '{}' })
  expect(await requestedOf()).toEqual(['tpm_quote'])
})

test('a policy that came after the capabilities is not passed by', async () => {
  const verifier = await withPolicy({ mb_policy: '{}' })
  await enrol(verifier, { mb_policy_name: 'p' })
  const begun = await begin(verifier)
  await verifier.ask('replace-boot-policy', P, BODY)
  const params = { agent_id: AGENT, index: begun.id }
  await verifier.finish(await verifier.ask('submit-evidence', params, evidenceFor(begun)))
  expect((await readAttestation(verifier)).attributes.evaluation).toBe('fail')
})

test('a policy that asks for nothing lets an agent pass', async () => {
  const verifier = await withPolicy({ mb_policy: '{}' })
  await enrol(verifier, { mb_policy_name: 'p' })
  expect((await attest(verifier)).attributes.evaluation).toBe('pass')
})

test.each<[string, unknown, string]>([
  ['no body', undefined, ''],
  ['a list', [], ''],
  ['no policy', {}, '/mb_policy'],
  ['null', { mb_policy: null }, '/mb_policy'],
  ['an empty policy', { mb_policy: '' }, '/mb_policy'],
  ['a policy as object', { mb_policy: {} }, '/mb_policy'],
  ['a policy that is no JSON', { mb_policy: 'x' }, '/mb_policy'],
  ['a policy that is no object', { mb_policy: '[]' }, '/mb_policy'],
  ['a reference state that is no JSON', { mb_refstate: 'x' }, '/mb_refstate'],
  ['two policies', { mb_policy: '{}', mb_refstate: OTHER }, '/mb_refstate'],
  ['an unknown member', { mb_policy: '{"kernel":[]}' }, '/mb_policy'],
])('%s is refused at its member, and nothing is stored or changed', async (_, body, pointer) => {
  const verifier = await testVerifier()
  const create = () => verifier.ask('create-boot-policy', P, body)
  const message = expect.stringContaining(pointer.slice(1))
  expect(await refusalOf(create)).toMatchObject({ status: 400, pointer, message })
  expect(await verifier.store.bootPolicies.names()).toEqual([])
  await verifier.ask('create-boot-policy', P, BODY)
  const replace = () => verifier.ask('replace-boot-policy', P, body)
  expect(await refusalOf(replace)).toMatchObject({ status: 400, pointer })
  expect(await contentOf(verifier)).toBe(MB_POLICY)
})
