import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../dev/testing/seeded-random.ts'
import { readAttestationKey } from '../../../evidence/quote/read-attestation-key.ts'
import { encode } from '../../../tpm/codec.ts'
import { keyAlgorithm } from '../../../tpm/key-algorithm.ts'
import { TPMT_SIGNATURE } from '../../../tpm/signature.ts'
import { recorded } from '../../../tpm/testing/recorded-boot.ts'
import { standInKeys } from './stand-in-keys.ts'

const keys = standInKeys(seededRandom())
const MESSAGE = Buffer.from('a message')

function rsaSignature(modulusLength: number): Uint8Array {
  const sig = new Uint8Array(modulusLength / 8).fill(1)
  return encode(TPMT_SIGNATURE, { kind: 'rsassa', value: { hash: 0x000b, sig } })
}

function ecdsaSignature(namedCurve: string): Uint8Array {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve })
  const bytes = sign('sha256', MESSAGE, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const half = bytes.length / 2
  const value = {
    hash: 0x000b,
    signatureR: bytes.subarray(0, half),
    signatureS: bytes.subarray(half),
  }
  return encode(TPMT_SIGNATURE, { kind: 'ecdsa', value })
}

function algorithmOf(tpm2bPublic: Uint8Array): string | undefined {
  const read = readAttestationKey(tpm2bPublic).value
  return read && keyAlgorithm(read.area)
}

const KINDS: readonly [string, Uint8Array][] = [
  ['rsa2048', rsaSignature(2048)],
  ['rsa3072', rsaSignature(3072)],
  ['rsa4096', rsaSignature(4096)],
  ['ecc256', ecdsaSignature('P-256')],
  ['ecc384', ecdsaSignature('P-384')],
  ['ecc521', ecdsaSignature('P-521')],
]

test.each(KINDS)(
  'a key of the same kind stands in for a signature of %s that no enrolled key made',
  (kind, signature) => {
    const { attestationKey, isEnrolled } = keys.keyFor(signature, undefined)
    expect([algorithmOf(attestationKey), isEnrolled]).toEqual([kind, false])
    expect(readAttestationKey(attestationKey).value?.unmet).toEqual([])
  },
)

const ENROLLED: readonly [string, Uint8Array, string][] = [
  ['rsa2048', recorded('ak_rsa.tpm2b_public'), 'rsa2048'],
  ['ecc256', recorded('ak_ecc256.tpm2b_public'), 'ecc256'],
  ['ecc384', recorded('ak_ecc384.tpm2b_public'), 'ecc384'],
]

test.each(ENROLLED)(
  'an enrolled %s verifies signatures of its own kind only',
  (_, enrolled, own) => {
    for (const [kind, signature] of KINDS) {
      const { attestationKey, isEnrolled } = keys.keyFor(signature, enrolled)
      expect(isEnrolled).toBe(kind === own)
      expect(algorithmOf(attestationKey)).toBe(kind)
    }
  },
)

test('an unreadable signature costs a verification too', () => {
  const { attestationKey, isEnrolled } = keys.keyFor(Uint8Array.of(1), undefined)
  expect([algorithmOf(attestationKey), isEnrolled]).toEqual(['ecc256', false])
})

test('a stand-in key is not predictable', () => {
  const [one, other] = ['one', 'other'].map((seed) => standInKeys(seededRandom(seed)))
  for (const [, signature] of KINDS) {
    const [a, b] = [one, other].map((each) => each?.keyFor(signature, undefined).attestationKey)
    expect(a).not.toEqual(b)
  }
})

test('numbers with their zeros left out are those of the enrolled key', () => {
  const short = { hash: 0x000b, signatureR: Uint8Array.of(1), signatureS: Uint8Array.of(1) }
  const signature = encode(TPMT_SIGNATURE, { kind: 'ecdsa', value: short })
  const enrolled = recorded('ak_ecc256.tpm2b_public')
  expect(keys.keyFor(signature, enrolled).isEnrolled).toBe(true)
})
