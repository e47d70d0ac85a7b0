import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { quoteOffer } from '../../testing/push-requests.ts'
import { refusalOf } from '../../testing/refusal-of.ts'
import type { QuoteOffer } from '../attestation-shape.ts'
import { type QuoteWishes, selectQuote } from './select-quote.ts'

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
  return selectQuote(offer, { ...WISHES, ...wishes }, 'CHALLENGE')
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

const KEY_RULE = 'no certification key of the enrolled key algorithm is offered'
const SCHEME_RULE = 'no offered signature scheme is accepted for this agent and allowed for the key'
const HASH_RULE = 'no offered hash algorithm is accepted for this agent and allowed for the key'
const PCR_RULE = 'no offered bank has all the PCRs that the policies of this agent need'

/** Beside each refusal an offer that differs from it in one place and is taken. */
test.each<[string, string, object, object]>([
  [
    'a key of another algorithm',
    KEY_RULE,
    { certification_keys: [{ ...KEY, key_algorithm: 'ecc' }] },
    { certification_keys: [{ ...KEY, key_algorithm: 'rsa2048' }] },
  ],
  [
    'a scheme that is not accepted',
    SCHEME_RULE,
    { signature_schemes: ['rsaes'] },
    { signature_schemes: ['rsapss'] },
  ],
  [
    'a scheme that the key cannot sign with',
    SCHEME_RULE,
    { signature_schemes: ['ecdsa'] },
    { signature_schemes: ['rsassa'] },
  ],
  [
    'a scheme that the key does not allow',
    SCHEME_RULE,
    { certification_keys: [{ ...KEY, allowable_signature_schemes: ['rsapss'] }] },
    { certification_keys: [{ ...KEY, allowable_signature_schemes: ['rsassa'] }] },
  ],
  [
    'a hash that is not accepted',
    HASH_RULE,
    { hash_algorithms: ['sha1'] },
    { hash_algorithms: ['sha512'] },
  ],
  [
    'a hash that the key does not allow',
    HASH_RULE,
    { certification_keys: [{ ...KEY, allowable_hash_algorithms: ['sha1'] }] },
    { certification_keys: [{ ...KEY, allowable_hash_algorithms: ['sha256'] }] },
  ],
  ['a PCR too few', PCR_RULE, { available_subjects: [0, 1, 16] }, { available_subjects: [0, 10] }],
  [
    'a PCR too few in the bank that is accepted',
    PCR_RULE,
    { available_subjects: { sha1: [0, 10], sha256: [0] } },
    { available_subjects: { sha1: [0], sha256: [0, 10] } },
  ],
  [
    'no PCR in the bank that is accepted',
    PCR_RULE,
    { available_subjects: { sha1: [0, 10] } },
    { available_subjects: { sha256: [0, 10] } },
  ],
])('%s is refused for its reason, and its twin is taken', async (_, why, bad, good) => {
  expect(await refusalOf(() => select(bad))).toMatchObject({
    code: 'invalid_resource_data',
    message: `evidence_supported: ${why}`,
    pointer: '/data/attributes/evidence_supported',
  })
  expect(select(good)).toMatchObject({ challenge: 'CHALLENGE' })
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
  expect((await refusalOf(refuse)).message).toContain(PCR_RULE)
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

test('a key is told with the four members of the document', () => {
  expect(chosenOf({ ...KEY, ...ALLOWS, public: toBase64(ENROLLED) })).toEqual(KEY)
})

test('a key with a local_identifier is told whole but for its allow lists', () => {
  const whole = { ...KEY, local_identifier: '000b', public: toBase64(ENROLLED) }
  expect(chosenOf({ ...whole, ...ALLOWS })).toEqual(whole)
})
