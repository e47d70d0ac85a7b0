import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { makeDevice } from '../../dev/testing/certificates/device-identity.ts'
import { issue } from '../../dev/testing/certificates/issue-certificate.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../../dev/testing/test-registrar.ts'
import { readPathCertificate } from '../../pki/path-certificate.ts'
import { nameOf } from '../../tpm/name.ts'

const maker = await issue({ name: 'maker of devices' })
const store = [readPathCertificate(maker.der)]
const device = await makeDevice(maker)
const other = await makeDevice(maker)
const whole = device.members()
/** The EK certificate of the recorded TPM is by another maker. */
const EK_ALONE = { ekcert: null, ek_tpm: KEYS.ek }

function flipLast(text = ''): string {
  const bytes = fromBase64(text).slice()
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return toBase64(bytes)
}

test('a device with IAK and IDevID registers, also where both are asked for', async () => {
  for (const identity of ['default', 'iak_idevid', 'ek_cert_or_iak_idevid'] as const) {
    const { register } = await testRegistrar({ store, identity })
    await register({ ...EK_ALONE, ...whole })
  }
})

test('the certification may be for the SHA-256 of the id', async () => {
  const { register } = await testRegistrar({ store })
  const extraData = createHash('sha256').update(AGENT).digest()
  await register({ ...EK_ALONE, ...device.members((attest) => ({ ...attest, extraData })) })
})

test('an IAK without an IDevID is taken, but not where both are asked for', async () => {
  const { idevid_tpm: _, idevid_cert: __, ...iak } = whole
  await (await testRegistrar({ store })).register({ ...EK_ALONE, ...iak })
  const { register } = await testRegistrar({ store, identity: 'iak_idevid' })
  expect(await refusalOf(() => register({ ...EK_ALONE, ...iak }))).toMatchObject({
    pointer: '/idevid_cert',
  })
})

test('members that are null or empty are as good as absent', async () => {
  const { register } = await testRegistrar()
  const none = Object.fromEntries(
    Object.keys(whole).map((member, at) => [member, at % 2 ? '' : null]),
  )
  await register(none)
})

test.each([
  ['iak_tpm', 'iak_tpm'],
  ['iak_cert', 'iak_cert'],
  ['idevid_tpm', 'idevid_tpm'],
  ['idevid_cert', 'idevid_cert'],
  ['iak_attest', 'iak_attest'],
  ['iak_sign', 'iak_sign'],
])('without %s the rest is refused', async (member, missing) => {
  const registrar = await testRegistrar({ store })
  const register = () => registrar.register({ ...EK_ALONE, ...whole, [member]: null })
  expect(await refusalOf(register)).toMatchObject({ status: 400, pointer: `/${missing}` })
  expect(await registrar.store.find(AGENT)).toBeUndefined()
})

test.each(Object.keys(whole))('%s alone is refused', async (member) => {
  const { register } = await testRegistrar({ store })
  const alone = { ...EK_ALONE, [member]: whole[member] }
  expect(await refusalOf(() => register(alone))).toMatchObject({ status: 400 })
})

const foreign = await makeDevice(await issue({ name: 'unknown' }))

test.each<[string, Readonly<Record<string, unknown>>, string, RegExp]>([
  [
    'the certificate of another IAK',
    { iak_cert: other.iak.certificate },
    '/iak_tpm',
    /is not the key of iak_cert/,
  ],
  [
    'the certificate of another IDevID',
    { idevid_cert: other.idevid.certificate },
    '/idevid_tpm',
    /is not the key of idevid_cert/,
  ],
  ['an unknown maker', foreign.members(), '/iak_cert', /has no issuer in/],
  [
    'a certification by another IAK',
    { iak_sign: other.members()['iak_sign'] },
    '/iak_attest',
    /not signed by the IAK/,
  ],
  [
    'an altered signature',
    { iak_sign: flipLast(whole['iak_sign']) },
    '/iak_attest',
    /not signed by the IAK/,
  ],
  [
    'an unrestricted IAK',
    { iak_tpm: toBase64(device.idevid.area), iak_cert: device.idevid.certificate },
    '/iak_tpm',
    /must be restricted/,
  ],
  ['an invalid attestation', { iak_attest: 'AAAA' }, '/iak_attest', /TPMS_ATTEST/],
  ['an invalid signature', { iak_sign: 'AAAA' }, '/iak_sign', /TPMT_SIGNATURE/],
  ['an invalid certificate', { iak_cert: 'AAAA' }, '/iak_cert', /is not a certificate/],
  ['an invalid key', { idevid_tpm: '*' }, '/idevid_tpm', /base64/],
  [
    'the certification of another key',
    device.members((attest) => ({
      ...attest,
      attested: {
        kind: 'certify',
        value: { name: nameOf(fromBase64(KEYS.akRsapss)), qualifiedName: new Uint8Array() },
      },
    })),
    '/iak_attest',
    /of another key than the AIK/,
  ],
  [
    'a certification for another agent',
    device.members((attest) => ({
      ...attest,
      extraData: Buffer.from('another'),
    })),
    '/iak_attest',
    /not for this agent/,
  ],
  [
    'a structure that no TPM made',
    device.members((attest) => ({ ...attest, magic: 1 })),
    '/iak_attest',
    /magic/,
  ],
  [
    'an attestation of another type',
    device.members((attest) => ({
      ...attest,
      type: 0x8014,
      attested: {
        kind: 'nv',
        value: { indexName: new Uint8Array(), offset: 0, nvContents: new Uint8Array() },
      },
    })),
    '/iak_attest',
    /another type than 0x8017/,
  ],
])(
  '%s is refused at its member, and no agent is registered',
  async (_, change, pointer, message) => {
    const registrar = await testRegistrar({ store })
    const refusal = await refusalOf(() => registrar.register({ ...EK_ALONE, ...whole, ...change }))
    expect(refusal).toMatchObject({ status: 400, pointer })
    expect(refusal.message).toMatch(message)
    expect(await registrar.store.find(AGENT)).toBeUndefined()
  },
)

test('without a store for its issuers, a device identity is refused', async () => {
  const { register } = await testRegistrar()
  expect((await refusalOf(() => register({ ...EK_ALONE, ...whole }))).message).toMatch(
    /^iak_cert: .* has no tpm_cert_store$/,
  )
})
