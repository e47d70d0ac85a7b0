import { expect, test } from 'vitest'
import type { ApiVersion } from '../../api/versions.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, AK, enrol } from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { agentNotRegistered } from '../../errors.ts'
import type { LookUpRegistration } from '../../http-client/look-up-registration.ts'

const REGISTERED: LookUpRegistration = async () => ({
  aik_tpm: KEYS.akRsa,
  mtls_cert: 'PEM',
  regcount: 1,
})
const WITHOUT_KEY = { ak_tpm: undefined }

const verifierOf = (version: ApiVersion, lookUpRegistration = REGISTERED) =>
  testVerifier({ version, lookUpRegistration })

test.each(['1.0', '2.0'] as const)(
  'in %s the registrar has the key and the certificate',
  async (version) => {
    const verifier = await verifierOf(version)
    await enrol(verifier, WITHOUT_KEY)
    expect(await verifier.store.agents.find(AGENT)).toMatchObject({
      ak_tpm: KEYS.akRsa,
      enc_alg: 'rsa2048',
      mtls_cert: 'PEM',
    })
  },
)

test('a key in the request overrides that of the registrar', async () => {
  const verifier = await verifierOf('2.0')
  await enrol(verifier, { ...WITHOUT_KEY, mtls_cert: 'disabled', regcount: 1 })
  await enrol(verifier, { ak_tpm: AK }, 'another')
  const rows = await Promise.all([AGENT, 'another'].map((id) => verifier.store.agents.find(id)))
  expect(rows.map((row) => row?.mtls_cert)).toEqual(['disabled', null])
  expect(rows.map((row) => row?.ak_tpm)).toEqual([KEYS.akRsa, AK])
})

test.each(['2.1', '2.5'] as const)('in %s the registrar is not asked', async (version) => {
  const lookUp = () => Promise.reject(new Error('it was asked'))
  const verifier = await verifierOf(version, lookUp)
  expect(await refusalOf(() => enrol(verifier, WITHOUT_KEY))).toMatchObject({
    status: 400,
    pointer: '/ak_tpm',
  })
})

test('an agent that is not registered is not added', async () => {
  const verifier = await verifierOf('2.0', (id) => Promise.reject(agentNotRegistered(id)))
  expect(await refusalOf(() => enrol(verifier, WITHOUT_KEY))).toMatchObject({ status: 404 })
  expect(await verifier.store.agents.find(AGENT)).toBeUndefined()
})

test('a key from the registrar is checked like any other', async () => {
  const verifier = await verifierOf('2.0', async () => ({
    aik_tpm: KEYS.ek,
    mtls_cert: null,
    regcount: 1,
  }))
  expect(await refusalOf(() => enrol(verifier, WITHOUT_KEY))).toMatchObject({ status: 400 })
})

test('an invalid request is refused without a request to the registrar', async () => {
  const lookUp = () => Promise.reject(new Error('it was asked'))
  const verifier = await verifierOf('2.0', lookUp)
  const odd = { ...WITHOUT_KEY, tpm_policy: '[]' }
  expect(await refusalOf(() => enrol(verifier, odd))).toMatchObject({ pointer: '/tpm_policy' })
})
