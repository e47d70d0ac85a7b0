import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueCertificate } from '../../testing/issue-certificate.ts'
import { carriedKeys, isSignedBy, preAuthenticationEncoding, readEnvelope } from './dsse.ts'

const good = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An envelope whose signed bytes are spelled out here, independently of the code under test. */
function envelope(key: KeyObject, keyid = 'any', type = 'application/vnd.keylime+json') {
  const payload = Buffer.from('{"é":1}')
  const length = Buffer.byteLength(type)
  const message = Buffer.concat([
    Buffer.from(`DSSEv1 ${length} ${type} ${payload.length} `),
    payload,
  ])
  return {
    payload: payload.toString('base64'),
    payloadType: type,
    signatures: [{ keyid, sig: sign('sha256', message, key).toString('base64') }],
  }
}

const plain = envelope(good.privateKey)

test('lengths in the signed text count bytes, not characters', () => {
  const read = readEnvelope({ ...plain, payloadType: 'té' })
  const message = Buffer.from(preAuthenticationEncoding(read)).toString()
  expect(message).toBe('DSSEv1 3 té 8 {"é":1}')
})

test.each<[string, () => unknown, boolean]>([
  ['as it was signed', () => plain, true],
  ['of a type in another script', () => envelope(good.privateKey, '', 'té'), true],
  ['with an empty type', () => envelope(good.privateKey, '', ''), true],
  ['signed by another key', () => envelope(other.privateKey), false],
  ['signed by an RSA key', () => envelope(rsa.privateKey), false],
  ['of another payload', () => ({ ...plain, payload: 'eyLDqSI6Mn0=' }), false],
  ['of another type', () => ({ ...plain, payloadType: 'application/json' }), false],
  [
    'with a blank moved from payload to type',
    () => ({ ...plain, payloadType: `${plain.payloadType} ` }),
    false,
  ],
  ['with an empty signature', () => ({ ...plain, signatures: [{ sig: '' }] }), false],
  [
    'of which one of two signatures is good',
    () => ({
      ...plain,
      signatures: [...envelope(other.privateKey).signatures, ...plain.signatures],
    }),
    true,
  ],
])('an envelope %s is verified with the key', (_, make, expected) => {
  const read = readEnvelope(make() as Record<string, unknown>)
  expect(isSignedBy(read, [good.publicKey])).toBe(expected)
})

test('a signature is good when one of several keys made it', () => {
  const read = readEnvelope(plain)
  expect(isSignedBy(read, [other.publicKey, good.publicKey])).toBe(true)
  expect(isSignedBy(read, [other.publicKey])).toBe(false)
  expect(isSignedBy(read, [])).toBe(false)
})

test('an RSA key verifies no envelope, not even its own', () => {
  expect(isSignedBy(readEnvelope(envelope(rsa.privateKey)), [rsa.publicKey])).toBe(false)
})

test('a certificate in the key id is read as PEM, as base64 of PEM and as base64 of DER', async () => {
  const der = Buffer.from(await issueCertificate(good.publicKey))
  const pem = new X509Certificate(der).toString()
  const ids = [pem, Buffer.from(pem).toString('base64'), der.toString('base64')]
  for (const keyid of ids) {
    const read = readEnvelope(envelope(good.privateKey, keyid))
    expect(isSignedBy(read, carriedKeys(read))).toBe(true)
    const stolen = readEnvelope(envelope(other.privateKey, keyid))
    expect(isSignedBy(stolen, carriedKeys(stolen))).toBe(false)
  }
})

test('a key id that is no certificate carries no key', () => {
  expect(carriedKeys(readEnvelope(plain))).toEqual([])
})
