import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cat, filled, fromHex } from '../../../simulator/tpm/write.ts'
import { RECORDED_EK_SPKI } from '../../../simulator/vectors/registration/baselines.ts'
import {
  ekCertificate,
  makerCertificate,
  WRAPPINGS,
} from '../../../simulator/vectors/registration/ek-certificate.ts'
import { base64, bootBytes, bootFile, inspected, reportOn } from '../test-support.ts'

const RECORDED = bootBytes('ekcert_1c00002.der')
const ISSUER = bootFile('swtpm-localca-issuercert.pem')
const factsOf = (bytes: Uint8Array | string) =>
  Object.fromEntries(inspected('ekcert', bytes).facts.map(({ name, value }) => [name, value]))

test('the summary has TPM vendor, key, usage and issuer', () => {
  expect(factsOf(RECORDED)).toMatchObject({
    'TPM vendor': 'id:00001014',
    'TPM model': 'swtpm',
    key: 'RSA, 2048 bits',
    usage: '2.23.133.8.1, endorsement key',
    issuer: 'CN=swtpm-localca',
  })
})

test.each<[string, Uint8Array | string]>([
  ['base64', base64(RECORDED)],
  ['PEM', `-----BEGIN CERTIFICATE-----\n${base64(RECORDED)}\n-----END CERTIFICATE-----\n`],
  ['a dump of its NV index', WRAPPINGS['trailing-zeros'](RECORDED)],
  ['an NV dump with the header of TPM 1.2 tools', WRAPPINGS['nv-header'](RECORDED)],
])('a certificate in the form of %s has the same summary', (_, content) => {
  expect(factsOf(content)).toEqual(factsOf(RECORDED))
})

test('fields have the bytes at their offsets', () => {
  const fields = inspected('ekcert', RECORDED).parts[0]?.fields ?? []
  for (const { offset, length, raw } of fields)
    expect(Buffer.from(RECORDED.subarray(offset, offset + length)).toString('hex')).toBe(raw)
  expect(fields.at(-1)).toMatchObject({ path: 'signatureValue', length: 385 })
})

test('without trusted certificates nothing is compared', () => {
  expect(inspected('ekcert', RECORDED).comparisons).toMatchObject([{ id: 'issuer', holds: null }])
})

test('a certificate is compared with the trusted issuer', () => {
  const holds = (bytes: Uint8Array) =>
    inspected('ekcert', bytes, { trust: ISSUER }).comparisons.map((each) => each.holds)
  expect(holds(RECORDED)).toEqual([true, true])
  expect(holds(ekCertificate(RECORDED_EK_SPKI))[0]).toBe(false)
})

test('a trust file without certificates is rejected', () => {
  expect(() => inspected('ekcert', RECORDED, { trust: bootFile('ak_rsa.name') })).toThrow(
    'contains no valid certificates in PEM',
  )
})

test('a truncated certificate is decoded up to the error', () => {
  const unbroken = Array.from({ length: RECORDED.length - 1 }, (_, at) => at + 1).filter(
    (length) => length % 7 === 0 && reportOn('ekcert', RECORDED.subarray(0, length)).ok,
  )
  expect(unbroken).toEqual([])
})

test.each<[string, Uint8Array, RegExp]>([
  [
    'an attribute certificate',
    fromHex('3009 3007 020101 3002a000'.replaceAll(' ', '')),
    /attribute certificate/,
  ],
  ['unknown bytes', filled(9, 7), /is no sequence/],
  ['endless nesting', cat(fromHex('3083ffffff'), filled(40, 0x30)), /bytes are wanted here/],
])('%s is reported in one sentence', (_, bytes, sentence) => {
  expect(inspected('ekcert', bytes).broken[0]?.why).toMatch(sentence)
})

test('the issuer of the test vectors is a CA certificate', () => {
  const ids = inspected('ekcert', makerCertificate()).warnings.map(({ id }) => id)
  expect(ids).toEqual(['authority-certificate', 'no-ek-usage'])
  expect(readFileSync(ISSUER, 'utf8')).toContain('BEGIN CERTIFICATE')
})
