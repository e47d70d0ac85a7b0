import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ApiVersion } from '../api/versions.ts'
import { fromBase64 } from '../bytes/base64.ts'
import { callOf } from '../dev/testing/call-of.ts'
import { KEYS } from '../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../dev/testing/test-registrar.ts'
import { decode } from '../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { registrarOperations } from './operations.ts'

const EK_PEM = new X509Certificate(fromBase64(KEYS.ekcert)).publicKey.export({
  type: 'spki',
  format: 'pem',
})
const AK_PEM = publicKeyOf(decode(TPM2B_PUBLIC, fromBase64(KEYS.akRsa)).contents).export({
  type: 'spki',
  format: 'pem',
})

/** The legacy listing's body. */
const LEGACY = {
  ek: EK_PEM,
  ekcert: KEYS.ekcert,
  aik: KEYS.akRsa,
  tpm_version: 2,
  aik_name: '000b00',
}

async function register(body: object, version: ApiVersion = '2.0') {
  const { parts, store } = await testRegistrar()
  const operation = registrarOperations(parts, [version])['register-agent']
  await operation({ ...callOf({ agent_id: AGENT }, body), version })
  return store.find(AGENT)
}

test.each<[string, object]>([
  ['the legacy body', { ...LEGACY, ek_tpm: KEYS.ek }],
  ['the legacy body without ek_tpm', LEGACY],
  ['a legacy EK as the TPM writes it, alone', { aik: KEYS.akRsa, ek: KEYS.ek }],
  ['a legacy EK in PEM, alone', { aik: KEYS.akRsa, ek: EK_PEM }],
  ['the names of today', { aik_tpm: KEYS.akRsa, ekcert: KEYS.ekcert }],
  ['both listings at once', { ...LEGACY, aik: AK_PEM, aik_tpm: KEYS.akRsa, ek_tpm: KEYS.ek }],
])('%s registers in 1.0 and 2.0', async (_, body) => {
  for (const version of ['1.0', '2.0'] as const) {
    expect(await register(body, version)).toMatchObject({ aik_tpm: KEYS.akRsa, ek_tpm: KEYS.ek })
  }
})

test.each<[string, object, string]>([
  ['an AIK that is a public key only', { ...LEGACY, aik: AK_PEM }, '/aik'],
  ['an AIK that is no text', { ...LEGACY, aik: 4 }, '/aik'],
  ['an AIK of another name than aik_tpm', { ...LEGACY, aik_tpm: KEYS.akEcc256 }, '/aik'],
  ['a key that is no attestation key', { ...LEGACY, aik: KEYS.ek }, '/aik'],
  ['another EK than that of the certificate', { ...LEGACY, ek: KEYS.akRsa }, '/ek'],
  ['another EK than ek_tpm', { ...LEGACY, ek: AK_PEM, ek_tpm: KEYS.ek }, '/ek'],
  ['an EK that is no key', { ...LEGACY, ek: 'AAAA', ek_tpm: KEYS.ek }, '/ek'],
  ['a text in the form of a key', { ...LEGACY, ek: '-----BEGIN PUBLIC KEY-----' }, '/ek'],
  ['no AIK', { ...LEGACY, aik: '' }, '/aik_tpm'],
])('%s is refused where it was sent', async (_, body, pointer) => {
  expect(await refusalOf(() => register(body))).toMatchObject({ status: 400, pointer })
})

test('from 2.1 on the names of the legacy listing name nothing', async () => {
  expect(await refusalOf(() => register(LEGACY, '2.1'))).toMatchObject({ pointer: '/aik_tpm' })
  const today = { aik_tpm: KEYS.akRsa, ekcert: KEYS.ekcert, aik: KEYS.akEcc256, ek: KEYS.akRsa }
  expect(await register(today, '2.1')).toMatchObject({ aik_tpm: KEYS.akRsa, ek_tpm: KEYS.ek })
})

test('a member of a later version is read', async () => {
  const later = { ...LEGACY, mtls_cert: 'disabled', ip: '192.0.2.1', port: '9002' }
  expect(await register(later, '1.0')).toMatchObject({ mtls_cert: 'disabled', port: 9002 })
})
