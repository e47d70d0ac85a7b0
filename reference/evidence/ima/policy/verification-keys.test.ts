import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { PolicyError } from '../../policy-error.ts'
import { parseVerificationKeys } from './verification-keys.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const ed25519 = generateKeyPairSync('ed25519').publicKey
const koblitz = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey

function der(key: typeof ec): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function parse(change: Readonly<Record<string, unknown>>) {
  const ring = { meta: { version: 1 }, keyids: [7, 0xffff_ffff], pubkeys: [der(ec), der(rsa)] }
  return parseVerificationKeys(JSON.stringify({ ...ring, ...change }), 'verification-keys')
}

test('an empty text is a keyring without keys', () => {
  expect(parseVerificationKeys('', 'verification-keys').size).toBe(0)
})

test('keys are found by their ids', () => {
  const keys = parse({})
  expect(keys.get(7)?.[0]?.equals(ec)).toBe(true)
  expect(keys.get(0xffff_ffff)?.[0]?.equals(rsa)).toBe(true)
  expect(keys.get(8)).toBeUndefined()
})

test('two keys of one id are both kept, one key twice is kept once', () => {
  expect(parse({ keyids: [7, 7] }).get(7)).toHaveLength(2)
  expect(parse({ keyids: [7, 7], pubkeys: [der(ec), der(ec)] }).get(7)).toHaveLength(1)
})

test('eight keys may have one id, nine may not', () => {
  const pubkeys = Array.from({ length: 9 }, () =>
    der(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
  )
  const keyids = pubkeys.map(() => 7)
  expect(parse({ keyids: keyids.slice(1), pubkeys: pubkeys.slice(1) }).get(7)).toHaveLength(8)
  expect(parse({ keyids: keyids.with(8, 8), pubkeys }).get(7)).toHaveLength(8)
  expect(() => parse({ keyids, pubkeys })).toThrow(
    'verification-keys.keyids[8]: more than 8 keys have the id 7',
  )
})

test('a keyring without meta is of the first version', () => {
  expect(parse({ meta: undefined }).size).toBe(2)
})

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  [
    'a version of the future',
    { meta: { version: 2 } },
    'verification-keys.meta.version: version 2 is not known',
  ],
  ['no key ids', { keyids: undefined }, 'verification-keys.keyids: expected a list of key ids'],
  ['a key id in text', { keyids: ['7', 8] }, 'verification-keys.keyids[0]: expected an integer'],
  ['a key id of 33 bits', { keyids: [7, 2 ** 32] }, 'verification-keys.keyids[1]: expected an int'],
  ['fewer ids than keys', { keyids: [7] }, 'verification-keys.keyids: has 1 ids for 2 pubkeys'],
  ['keys in a text', { pubkeys: der(ec) }, 'verification-keys.pubkeys: expected a list of keys'],
  [
    'a key that is null',
    { pubkeys: [null, der(rsa)] },
    'verification-keys.pubkeys[0]: expected te',
  ],
  ['a key in PEM', { pubkeys: ['-----', der(rsa)] }, 'verification-keys.pubkeys[0]: not a char'],
  ['bytes that are no key', { pubkeys: [der(ec), 'AAAA'] }, 'verification-keys.pubkeys[1]: is not'],
  [
    'an Ed25519 key',
    { pubkeys: [der(ed25519), der(ec)] },
    'verification-keys.pubkeys[0]: expected',
  ],
  ['a curve of another kind', { pubkeys: [der(ec), der(koblitz)] }, 'pubkeys[1]: expected an RSA'],
])('%s is refused with its path', (_, change, problem) => {
  expect(() => parse(change)).toThrow(problem)
  expect(() => parse(change)).toThrow(PolicyError)
})

test.each(['[]', 'null', '{}', '"x"', '{'])('the text %j is no keyring', (text) => {
  expect(() => parseVerificationKeys(text, 'ima_sign_verification_keys')).toThrow(
    /^ima_sign_verification_keys/,
  )
})
