import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import type { CertificationKey, QuoteOffer } from '../attestation-shape.ts'
import { selectQuote } from './select-quote.ts'

const PUBLIC = Uint8Array.from([0, 4, 1, 2, 3, 4])
const WISHES = {
  pcrs: [10],
  acceptedHashes: ['sha512', 'sha256'],
  acceptedSchemes: ['rsassa', 'ecdsa'],
  keyAlgorithm: 'rsa',
  attestationKey: toBase64(PUBLIC),
}
const KEY: CertificationKey = {
  key_class: 'asymmetric',
  key_algorithm: 'rsa',
  key_size: 2048,
  server_identifier: 'ak',
  allowable_signature_schemes: ['rsassa'],
  allowable_hash_algorithms: ['sha256'],
  public: toBase64(PUBLIC),
}

function offerOf(
  keys: CertificationKey[],
  subjects: QuoteOffer['capabilities']['available_subjects'],
): QuoteOffer {
  return {
    evidence_class: 'certification',
    evidence_type: 'tpm_quote',
    capabilities: {
      signature_schemes: ['ecdsa', 'rsassa'],
      hash_algorithms: ['sha1', 'sha256', 'sha512'],
      available_subjects: subjects,
      certification_keys: keys,
    },
  }
}

const select = (keys: CertificationKey[], subjects: Parameters<typeof offerOf>[1] = [0, 10]) =>
  selectQuote(offerOf(keys, subjects), WISHES, 'Y2hhbGxlbmdl')

test('subjects that came as a list are selected as a list', () => {
  expect(select([KEY]).selected_subjects).toEqual([10])
})

test('subjects that came by bank are selected by bank, null where a bank is not used', () => {
  const selected = select([KEY], { sha1: [10], sha256: [0, 10] }).selected_subjects
  expect(selected).toEqual({ sha1: null, sha256: [10] })
})

test('a bank without the needed PCRs is refused', () => {
  expect(() => select([KEY], { sha1: [10], sha256: [0] })).toThrow(
    'no offered bank has all the PCRs',
  )
})

test('a key is echoed with the four members of the document', () => {
  expect(select([KEY]).certification_key).toEqual({
    key_class: 'asymmetric',
    key_algorithm: 'rsa',
    key_size: 2048,
    server_identifier: 'ak',
  })
})

test('a key with a local_identifier is echoed whole but for its allow lists', () => {
  expect(select([{ ...KEY, local_identifier: '000b' }]).certification_key).toEqual({
    key_class: 'asymmetric',
    key_algorithm: 'rsa',
    key_size: 2048,
    server_identifier: 'ak',
    local_identifier: '000b',
    public: toBase64(PUBLIC),
  })
})

test.each([
  ['TPM2B_PUBLIC', PUBLIC],
  ['TPMT_PUBLIC', PUBLIC.subarray(2)],
])('the enrolled key is preferred when it is offered as %s', (_form, bytes) => {
  const other = { ...KEY, public: toBase64(Uint8Array.of(9)) }
  const enrolled = { ...KEY, public: toBase64(bytes), server_identifier: 'mine' }
  expect(select([other, enrolled]).certification_key.server_identifier).toBe('mine')
})
