import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { decode } from './codec.ts'
import { type Signature, TPMT_SIGNATURE } from './signature.ts'
import { flipped, recorded } from './testing/recorded-boot.ts'
import { verifySignature } from './verify-signature.ts'

const SHA256 = 0x000b
const RECORDED: readonly (readonly [string, string])[] = [
  ['rsassa_sha256_10', 'ak_rsa'],
  ['rsapss_sha256_10_16', 'ak_rsapss'],
  ['ecdsa256_sha256_10_16', 'ak_ecc256'],
  ['ecdsa384_sha384_10', 'ak_ecc384'],
]

function keyOf(name: string) {
  return createPublicKey(Buffer.from(recorded(`${name}.pem`)))
}

function signatureOf(name: string): Signature {
  return decode(TPMT_SIGNATURE, recorded(`${name}.sig`))
}

test.each(RECORDED)('%s verifies under %s', (quote, key) => {
  const message = recorded(`${quote}.attest`)
  expect(verifySignature(keyOf(key), signatureOf(quote), message)).toEqual({ ok: true })
})

test.each(RECORDED)('%s does not verify over one bit less', (quote, key) => {
  const message = flipped(recorded(`${quote}.attest`), 50)
  expect(verifySignature(keyOf(key), signatureOf(quote), message)).toMatchObject({
    ok: false,
    why: 'the signature does not verify under the key',
  })
})

test('a scheme of the other key type is refused', () => {
  const message = recorded('rsassa_sha256_10.attest')
  const outcome = verifySignature(keyOf('ak_ecc256'), signatureOf('rsassa_sha256_10'), message)
  expect(outcome).toMatchObject({ why: 'a rsassa signature cannot come from an ecc key' })
})

test('RSAPSS in place of RSASSA on the same bytes is refused', () => {
  const bytes = recorded('rsassa_sha256_10.sig')
  bytes[1] = 0x16
  const outcome = verifySignature(
    keyOf('ak_rsa'),
    decode(TPMT_SIGNATURE, bytes),
    recorded('rsassa_sha256_10.attest'),
  )
  expect(outcome).toMatchObject({ ok: false, why: /does not verify/ })
})

test.each([
  ['ecdaa', 0x1a],
  ['sm2', 0x1b],
  ['ecschnorr', 0x1c],
])('%s is refused by name', (name, id) => {
  const bytes = recorded('ecdsa256_sha256_10_16.sig')
  bytes[1] = id
  const outcome = verifySignature(
    keyOf('ak_ecc256'),
    decode(TPMT_SIGNATURE, bytes),
    new Uint8Array(),
  )
  expect(outcome).toEqual({ ok: false, why: `${name} signatures are not supported` })
})

test('an RSA signature of another length is refused', () => {
  const signature = { kind: 'rsassa', value: { hash: SHA256, sig: new Uint8Array(255) } } as const
  expect(verifySignature(keyOf('ak_rsa'), signature, new Uint8Array())).toMatchObject({
    why: 'the signature has 255 bytes where the key needs 256',
  })
})

test('the NULL hash is refused', () => {
  const signature = { kind: 'rsassa', value: { hash: 0x0010, sig: new Uint8Array(256) } } as const
  expect(verifySignature(keyOf('ak_rsa'), signature, new Uint8Array())).toMatchObject({
    why: 'hash 0x10 is not supported',
  })
})

const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

test.each([
  ['0', new Uint8Array(32)],
  ['the order of the curve', ORDER],
  ['33 bytes long', new Uint8Array(33).fill(1)],
])('r that is %s is refused', (_, signatureR) => {
  const signature = {
    kind: 'ecdsa',
    value: { hash: SHA256, signatureR, signatureS: Uint8Array.of(1) },
  } as const
  expect(verifySignature(keyOf('ak_ecc256'), signature, new Uint8Array())).toMatchObject({
    why: 'r is not between 1 and the order of the curve',
  })
})

test('s that is 0 is refused', () => {
  const value = { hash: SHA256, signatureR: Uint8Array.of(1), signatureS: new Uint8Array(32) }
  const outcome = verifySignature(keyOf('ak_ecc256'), { kind: 'ecdsa', value }, new Uint8Array())
  expect(outcome).toMatchObject({ why: 's is not between 1 and the order of the curve' })
})

test('numbers without their leading zero bytes verify', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let bytes = Buffer.alloc(64, 1)
  // About one signature in 128 has a zero byte in front of r or s.
  for (let tries = 0; bytes[0] !== 0 && bytes[32] !== 0 && tries < 20_000; tries++)
    bytes = sign('sha256', Buffer.from('x'), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const strip = (number: Uint8Array) => number.subarray(number.findIndex((byte) => byte !== 0))
  const value = {
    hash: SHA256,
    signatureR: strip(bytes.subarray(0, 32)),
    signatureS: strip(bytes.subarray(32)),
  }
  expect(value.signatureR.length + value.signatureS.length).toBeLessThan(64)
  expect(verifySignature(publicKey, { kind: 'ecdsa', value }, Buffer.from('x'))).toEqual({
    ok: true,
  })
})

test.each([
  ['P-256', 'sha256', 0x000b],
  ['P-384', 'sha384', 0x000c],
  ['P-521', 'sha512', 0x000d],
  ['P-521', 'sha1', 0x0004],
] as const)(
  'a signature on %s with %s verifies, and not over other bytes',
  (curve, digest, hash) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
    const message = Buffer.from('message')
    const bytes = sign(digest, message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const half = bytes.length / 2
    const value = { hash, signatureR: bytes.subarray(0, half), signatureS: bytes.subarray(half) }
    expect(verifySignature(publicKey, { kind: 'ecdsa', value }, message)).toEqual({ ok: true })
    expect(verifySignature(publicKey, { kind: 'ecdsa', value }, Buffer.from('other')).ok).toBe(
      false,
    )
  },
)

test('a hash that is known by its size alone is refused', () => {
  const signature = { kind: 'rsassa', value: { hash: 0x0012, sig: new Uint8Array(256) } } as const
  expect(verifySignature(keyOf('ak_rsa'), signature, new Uint8Array())).toMatchObject({
    why: 'hash 0x12 is not supported',
  })
})
