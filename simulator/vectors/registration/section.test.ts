import { createPublicKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { pointOf } from '../../soft/ecdsa.ts'
import { BASELINES, RECORDED_EK_SPKI } from './baselines.ts'
import { ekCertificate, ISSUER } from './ek-certificate.ts'
import { hasRocaFingerprint, rocaModulus } from './roca.ts'
import { registrationSection } from './section.ts'

const { variants } = registrationSection()

test.each(variants)('$id changes exactly one member of its baseline', ({ of, change }) => {
  const [[member, value] = [], ...others] = Object.entries(change)
  expect(others).toEqual([])
  expect(BASELINES[of]?.[member ?? '']).not.toEqual(value)
})

test('ids and changes are unique', () => {
  const seen = variants.flatMap(({ id, of, change }) => [id, JSON.stringify([of, change])])
  expect(seen.filter((one, at) => seen.indexOf(one) !== at)).toEqual([])
})

test('a variant that must be refused has a reason', () => {
  const without = variants.filter(
    ({ outcome, code }) => outcome === 'refused' && code === undefined,
  )
  expect(without).toEqual([])
})

test.each(['rsa', 'certified', 'other'])('the EK certificate of %s is of its EK', (name) => {
  const certificate = new X509Certificate(
    Buffer.from(String(BASELINES[name]?.['ekcert']), 'base64'),
  )
  const modulusOrX = certificate.publicKey.export({ format: 'jwk' })
  const inside = Buffer.from(modulusOrX.n ?? modulusOrX.x ?? '', 'base64url')
  expect(Buffer.from(String(BASELINES[name]?.['ek_tpm']), 'base64').includes(inside)).toBe(true)
})

test('a generated certificate is signed by its issuer', () => {
  const { x, y } = pointOf(ISSUER)
  const [crv, kty] = ['P-256', 'EC']
  const [left, right] = [x, y].map((part) => Buffer.from(part).toString('base64url'))
  const issuer = createPublicKey({
    key: { kty, crv, x: left ?? '', y: right ?? '' },
    format: 'jwk',
  })
  for (const quirk of [{}, { setOrder: true }, { encodedDefault: true }, { ca: true }] as const) {
    expect(new X509Certificate(ekCertificate(RECORDED_EK_SPKI, quirk)).verify(issuer)).toBe(true)
  }
})

test('the ROCA modulus has the fingerprint and 2048 bits; that of a TPM has no fingerprint', () => {
  const modulus = rocaModulus('any')
  expect(modulus).toHaveLength(256)
  expect(modulus[0]).toBeGreaterThan(0x7f)
  expect(hasRocaFingerprint(modulus)).toBe(true)
  const { n = '' } = createPublicKey({
    key: Buffer.from(RECORDED_EK_SPKI),
    format: 'der',
    type: 'spki',
  }).export({ format: 'jwk' })
  expect(hasRocaFingerprint(Buffer.from(n, 'base64url'))).toBe(false)
})
