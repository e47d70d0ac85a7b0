import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueCertificate } from '../testing/issue-certificate.ts'
import { readMeasuredKey } from './measured-key.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const SPKI = { format: 'der', type: 'spki' } as const

function endOfSha1(bytes: Uint8Array): number {
  return createHash('sha1').update(bytes).digest().readUInt32BE(16)
}

test('the id of an RSA key is the end of the hash of its PKCS#1 form', () => {
  const pkcs1 = rsa.export({ format: 'der', type: 'pkcs1' })
  expect(readMeasuredKey(rsa.export(SPKI))).toMatchObject({ kind: 'key', id: endOfSha1(pkcs1) })
})

test('the id of an EC key is the end of the hash of its point', () => {
  const point = ec.export(SPKI).subarray(-97)
  expect(point[0]).toBe(4)
  expect(readMeasuredKey(ec.export(SPKI))).toMatchObject({ kind: 'key', id: endOfSha1(point) })
})

test('the id of a certificate is the end of its subject key identifier', async () => {
  const identifier = Uint8Array.of(9, 9, 9, 9, 1, 2, 3, 4)
  const read = readMeasuredKey(await issueCertificate(ec, identifier))
  expect(read).toMatchObject({ kind: 'key', id: 0x01020304 })
  expect(read?.kind === 'key' && read.key.equals(ec)).toBe(true)
})

test.each([
  ['no identifier', undefined],
  ['an identifier too short for an id', Uint8Array.of(1, 2, 3)],
])('a certificate with %s has the id of its key', async (_, identifier) => {
  const alone = readMeasuredKey(rsa.export(SPKI))
  const read = readMeasuredKey(await issueCertificate(rsa, identifier))
  expect(read).toMatchObject({ kind: 'key', id: alone?.kind === 'key' ? alone.id : undefined })
})

test('a key that signs no file is a key nonetheless', async () => {
  const ed25519 = generateKeyPairSync('ed25519').publicKey
  const koblitz = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey
  expect(readMeasuredKey(ed25519.export(SPKI))).toEqual({
    kind: 'unsupported',
    what: 'a key of type ed25519',
  })
  expect(readMeasuredKey(await issueCertificate(ed25519))).toMatchObject({ kind: 'unsupported' })
  expect(readMeasuredKey(koblitz.export(SPKI))).toEqual({
    kind: 'unsupported',
    what: 'an EC key on secp256k1',
  })
})

test.each([
  ['text', Buffer.from('6.1.0-56-cloud-amd64')],
  ['nothing', new Uint8Array()],
  ['a sequence of something', Uint8Array.of(0x30, 1, 2)],
  [
    'a key that is cut',
    createPublicKey(rsa.export({ format: 'pem', type: 'spki' }))
      .export(SPKI)
      .subarray(0, -1),
  ],
])('%s is critical data', (_, bytes) => {
  expect(readMeasuredKey(bytes)).toBeUndefined()
})
