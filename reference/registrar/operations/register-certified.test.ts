import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { fromHex } from '../../bytes/hex.ts'
import { issue } from '../../dev/testing/certificates/issue-certificate.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../../dev/testing/test-registrar.ts'
import { readPathCertificate } from '../../pki/path-certificate.ts'
import type { CertificateSettings } from '../check-certificate.ts'

const EK_CERTIFICATE = '2.23.133.8.1'
const maker = await issue({ name: 'maker of TPMs' })
const store = [readPathCertificate(maker.der)]
const spki = spkiOf(KEYS.ekcert)

function spkiOf(certificate: string): Uint8Array {
  const { publicKey } = new X509Certificate(fromBase64(certificate))
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
}

/** EK certificate for the recorded EK, by default from the maker. */
async function ekcertBy(by = maker, usages = [EK_CERTIFICATE]): Promise<string> {
  return toBase64((await issue({ name: 'ek', by, ca: false, usages, spki })).der)
}

const good = await ekcertBy()

test('an EK certificate by a maker of the store is taken', async () => {
  const { register, warnings } = await testRegistrar({ store })
  await register({ ekcert: good })
  expect(warnings).toEqual([])
})

test('without a store the issuer is not checked', async () => {
  const { register } = await testRegistrar()
  await register({ ekcert: await ekcertBy(await issue({ name: 'unknown' })) })
})

test.each<[string, () => Promise<string>, RegExp]>([
  [
    'without an issuer in the store',
    async () => ekcertBy(await issue({ name: 'unknown' })),
    /^ekcert: has no issuer in the certificate store$/,
  ],
  [
    'with the name of a maker and the signature of another',
    async () => ekcertBy(await issue({ name: 'maker of TPMs' })),
    /^ekcert: is not signed by the authority that it names$/,
  ],
  ['for TLS clients', () => ekcertBy(maker, ['1.3.6.1.5.5.7.3.2']), /for another purpose/],
])('an EK certificate %s is refused, and no agent is registered', async (_, make, message) => {
  const registrar = await testRegistrar({ store })
  const ekcert = await make()
  const refusal = await refusalOf(() => registrar.register({ ekcert }))
  expect(refusal).toMatchObject({ status: 400, pointer: '/ekcert' })
  expect(refusal.message).toMatch(message)
  expect(await registrar.store.find(AGENT)).toBeUndefined()
})

test('with a store an EK without a certificate is accepted, unless one is required', async () => {
  const { register } = await testRegistrar({ store })
  await register({ ekcert: null, ek_tpm: KEYS.ek })
})

test.each<[string, Partial<CertificateSettings>, string]>([
  ['require_ek_cert', { requireEkCertificate: true }, '/ekcert'],
  ['tpm_identity ek_cert', { identity: 'ek_cert' }, '/ekcert'],
  ['tpm_identity iak_idevid', { identity: 'iak_idevid' }, '/iak_cert'],
  ['tpm_identity ek_cert_or_iak_idevid', { identity: 'ek_cert_or_iak_idevid' }, '/ekcert'],
])('with %s an EK alone is refused at the missing member', async (_, settings, pointer) => {
  const registrar = await testRegistrar({ store, ...settings })
  const register = () => registrar.register({ ekcert: null, ek_tpm: KEYS.ek })
  expect(await refusalOf(register)).toMatchObject({ status: 400, pointer })
  expect(await registrar.store.find(AGENT)).toBeUndefined()
})

test.each(['default', 'ek_cert', 'ek_cert_or_iak_idevid'] as const)(
  'with tpm_identity %s an EK certificate is enough',
  async (identity) => {
    const { register } = await testRegistrar({ store, identity, requireEkCertificate: true })
    await register({ ekcert: good })
  },
)

/** The certificate with a boolean that is neither 0x00 nor 0xff: BasicConstraints.cA of the recorded one. */
function loose(): string {
  const bytes = Buffer.from(fromBase64(KEYS.ekcert))
  const critical = Buffer.from(fromHex('0603551d130101ff'))
  bytes[bytes.indexOf(critical) + 7] = 0x01
  return toBase64(bytes)
}

test('a certificate that is not strict DER is logged, and accepted', async () => {
  const { register, warnings } = await testRegistrar()
  await register({ ekcert: loose() })
  expect(warnings).toEqual([
    expect.stringMatching(/not strict DER under ekcert: DER at byte \d+: /),
  ])
})

test('or passed over', async () => {
  const { register, warnings } = await testRegistrar({ malformed: 'ignore' })
  await register({ ekcert: loose() })
  expect(warnings).toEqual([])
})

test('or refused', async () => {
  const registrar = await testRegistrar({ malformed: 'reject' })
  const refusal = await refusalOf(() => registrar.register({ ekcert: loose() }))
  expect(refusal).toMatchObject({ status: 400, pointer: '/ekcert' })
  expect(refusal.message).toMatch(/is not strict DER/)
  await registrar.register({ ekcert: KEYS.ekcert })
})
