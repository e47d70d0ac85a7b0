import { expect, test } from 'vitest'
import { toBase64 } from '../../../bytes/base64.ts'
import { refusalOf } from '../../../dev/testing/refusal-of.ts'
import { quoteOffer } from '../../../dev/testing/verifier/push-requests.ts'
import type { QuoteOffer } from '../../shapes/attestation-shape.ts'
import { type QuoteWishes, quoteRules } from './quote-rules.ts'
import { selectQuote } from './select-quote.ts'

const ENROLLED = Uint8Array.of(0, 4, 1, 2, 3, 4)

const WISHES: QuoteWishes = {
  pcrs: [0, 10],
  acceptedHashes: ['sha512', 'sha256'],
  acceptedSchemes: ['rsapss', 'rsassa', 'ecdsa'],
  keyAlgorithm: 'rsa',
  attestationKey: toBase64(ENROLLED),
}

const KEY = {
  key_class: 'asymmetric',
  key_algorithm: 'rsa',
  key_size: 2048,
  server_identifier: 'other',
}

const CAPABILITIES = {
  signature_schemes: ['rsassa', 'ecdsa'],
  hash_algorithms: ['sha1', 'sha256'],
  available_subjects: [0, 1, 10, 16, 23],
  certification_keys: [KEY],
}

function select(capabilities: object = {}, wishes: Partial<QuoteWishes> = {}) {
  const offer = quoteOffer({ ...CAPABILITIES, ...capabilities }) as QuoteOffer
  return selectQuote([offer], { ...WISHES, ...wishes }, 'CHALLENGE', quoteRules).chosen
}

test('challenge, scheme, hash, PCRs and key are chosen', () => {
  expect(select()).toEqual({
    challenge: 'CHALLENGE',
    signature_scheme: 'rsassa',
    hash_algorithm: 'sha256',
    selected_subjects: [0, 10],
    certification_key: KEY,
  })
})

const WHY = new Map(quoteRules.map(({ id, why }) => [id, why]))

/** Each refused offer, and an accepted one that differs in one place. */
test.each<[string, string, object, object]>([
  [
    'a key of another algorithm',
    'selection.key-algorithm',
    { certification_keys: [{ ...KEY, key_algorithm: 'ecc' }] },
    { certification_keys: [{ ...KEY, key_algorithm: 'rsa2048' }] },
  ],
  [
    'a scheme that cannot be verified here',
    'selection.scheme-offered',
    { signature_schemes: ['rsaes'] },
    { signature_schemes: ['rsapss'] },
  ],
  [
    'a scheme that the key cannot sign with',
    'selection.scheme-of-key',
    { signature_schemes: ['ecdsa'] },
    { signature_schemes: ['rsassa'] },
  ],
  [
    'a scheme that the key does not allow',
    'selection.scheme-allowed',
    { certification_keys: [{ ...KEY, allowable_signature_schemes: ['rsapss'] }] },
    { certification_keys: [{ ...KEY, allowable_signature_schemes: ['rsassa'] }] },
  ],
  [
    'a hash that is not accepted',
    'selection.hash-accepted',
    { hash_algorithms: ['sha1'] },
    { hash_algorithms: ['sha512'] },
  ],
  [
    'a hash that the key does not allow',
    'selection.hash-allowed',
    { certification_keys: [{ ...KEY, allowable_hash_algorithms: ['sha1'] }] },
    { certification_keys: [{ ...KEY, allowable_hash_algorithms: ['sha256'] }] },
  ],
  [
    'a hash that cannot be computed here',
    'selection.hash-offered',
    { hash_algorithms: ['sm3_256'] },
    { hash_algorithms: ['sha256'] },
  ],
  [
    'a PCR too few',
    'selection.pcrs',
    { available_subjects: [0, 1, 16] },
    { available_subjects: [0, 10] },
  ],
  [
    'a PCR too few in the bank that is accepted',
    'selection.pcrs',
    { available_subjects: { sha1: [0, 10], sha256: [0] } },
    { available_subjects: { sha1: [0], sha256: [0, 10] } },
  ],
  [
    'no PCR in the bank that is accepted',
    'selection.pcrs',
    { available_subjects: { sha1: [0, 10] } },
    { available_subjects: { sha256: [0, 10] } },
  ],
])('%s is refused for its reason, and its twin is taken', async (_, rule, bad, good) => {
  expect(await refusalOf(() => select(bad))).toMatchObject({
    code: 'invalid_resource_data',
    message: `evidence_supported: ${WHY.get(rule)}`,
    pointer: '/data/attributes/evidence_supported',
  })
  expect(select(good)).toMatchObject({ challenge: 'CHALLENGE' })
})

test.each<[string, Partial<QuoteWishes>]>([
  ['selection.scheme-accepted', { acceptedSchemes: ['rsapss', 'sm2'] }],
  ['selection.hash-accepted', { acceptedHashes: ['sha384'] }],
])('an offer without an accepted value is refused: %s', async (rule, wishes) => {
  const { message } = await refusalOf(() => select({}, wishes))
  expect(message).toBe(`evidence_supported: ${WHY.get(rule)}`)
})

test('an accepted and offered scheme of the key that cannot be checked here is not chosen', () => {
  const key = { ...KEY, key_algorithm: 'ecc' }
  const capabilities = {
    signature_schemes: ['ecschnorr', 'ecdsa'],
    hash_algorithms: ['sm3_256', 'sha256'],
    certification_keys: [key],
  }
  const wishes = {
    keyAlgorithm: 'ecc',
    acceptedSchemes: ['ecschnorr', 'ecdsa'],
    acceptedHashes: ['sm3_256', 'sha256'],
  }
  const { signature_scheme, hash_algorithm } = select(capabilities, wishes)
  expect([signature_scheme, hash_algorithm]).toEqual(['ecdsa', 'sha256'])
})

test('of two offers the first that can be used is taken', () => {
  const offers = [['sha1'], ['sha256'], ['sha512']].map((hash_algorithms) =>
    quoteOffer({ ...CAPABILITIES, hash_algorithms }),
  ) as QuoteOffer[]
  expect(selectQuote(offers, WISHES, 'CHALLENGE', quoteRules).offer).toBe(offers[1])
})

test('the order of the accepted lists decides, not that of the offer', () => {
  const both = { signature_schemes: ['rsassa', 'rsapss'], hash_algorithms: ['sha256', 'sha512'] }
  expect(select(both)).toMatchObject({ signature_scheme: 'rsapss', hash_algorithm: 'sha512' })
})

test('a list of PCRs is answered with a list', () => {
  expect(select({ available_subjects: [10, 0, 1] }).selected_subjects).toEqual([0, 10])
})

test('an object of banks is answered with an object, in which banks that are not used are null', () => {
  const available_subjects = { sha1: [0, 10], sha256: [0, 1, 10] }
  expect(select({ available_subjects }).selected_subjects).toEqual({ sha1: null, sha256: [0, 10] })
})

test('a bank that is no bank, but a member of the prototype, has no PCRs', async () => {
  const hash_algorithms = ['constructor']
  const refuse = () =>
    select({ available_subjects: {}, hash_algorithms }, { acceptedHashes: ['constructor'] })
  expect((await refusalOf(refuse)).message).toContain(WHY.get('selection.hash-offered'))
})

test('without a policy the PCRs below 16 are chosen', () => {
  expect(select({}, { pcrs: [] }).selected_subjects).toEqual([0, 1, 10])
})

function chosenOf(...certification_keys: object[]): Readonly<Record<string, unknown>> {
  return select({ certification_keys }).certification_key
}

test.each([
  ['TPM2B_PUBLIC', ENROLLED],
  ['TPMT_PUBLIC', ENROLLED.subarray(2)],
])('the enrolled key as %s is preferred to one called ak, and that to any other', (_, bytes) => {
  const ak = { ...KEY, server_identifier: 'ak' }
  const enrolled = { ...KEY, server_identifier: 'mine', public: toBase64(bytes) }
  expect(chosenOf(KEY, ak, enrolled)['server_identifier']).toBe('mine')
  expect(chosenOf(KEY, ak)['server_identifier']).toBe('ak')
  expect(chosenOf(KEY)['server_identifier']).toBe('other')
})

test('a preferred key that cannot be used leaves the next one', () => {
  const ak = { ...KEY, server_identifier: 'ak', allowable_hash_algorithms: ['sha1'] }
  expect(chosenOf(ak, KEY)).toEqual(KEY)
})

const ALLOWS = { allowable_signature_schemes: ['rsassa'], allowable_hash_algorithms: ['sha256'] }

test('a key is requested with the four members of the document', () => {
  expect(chosenOf({ ...KEY, ...ALLOWS, public: toBase64(ENROLLED) })).toEqual(KEY)
})

test('a key with a local_identifier is requested with all members but its allow lists', () => {
  const whole = { ...KEY, local_identifier: '000b', public: toBase64(ENROLLED) }
  expect(chosenOf({ ...whole, ...ALLOWS })).toEqual(whole)
})
