import { expect, test } from 'vitest'
import { toHex } from '../bytes/hex.ts'
import { checkAttestationKey } from './check-attestation-key.ts'
import { decode, encode } from './codec.ts'
import { nameOf } from './name.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT, TPMT_PUBLIC } from './public.ts'
import { publicKeyOf } from './public-key.ts'
import { flipped, recorded } from './testing/recorded-boot.ts'

const KEYS = ['ak_rsa', 'ak_rsapss', 'ak_ecc256', 'ak_ecc384']

function areaOf(key: string): PublicArea {
  return decode(TPM2B_PUBLIC, recorded(`${key}.tpm2b_public`)).contents
}

function withArea(change: Partial<PublicArea>, key = 'ak_rsa'): Uint8Array {
  return encode(TPM2B_PUBLIC, { bytes: new Uint8Array(), contents: { ...areaOf(key), ...change } })
}

test.each(KEYS)('the Name of %s is the one the TPM gave it', (key) => {
  expect(nameOf(recorded(`${key}.tpm2b_public`))).toEqual(recorded(`${key}.name`))
})

test.each(KEYS)('the public key of %s is the one tpm2-tools wrote', (key) => {
  const pem = publicKeyOf(areaOf(key)).export({ format: 'pem', type: 'spki' })
  expect(pem).toBe(Buffer.from(recorded(`${key}.pem`)).toString())
})

test('the Name changes with every bit of the received area', () => {
  const bytes = recorded('ak_rsa.tpm2b_public')
  const changed = flipped(bytes, bytes.length - 1)
  expect(toHex(nameOf(changed))).not.toBe(toHex(nameOf(bytes)))
})

test('a key without a name algorithm has no Name', () => {
  expect(() => nameOf(withArea({ nameAlg: 0x0010 }))).toThrow('TPM2B_PUBLIC.nameAlg at byte 4')
})

test.each([-1, 1])('a TPM2B_PUBLIC whose size is off by %i is refused', (by) => {
  const bytes = recorded('ak_rsa.tpm2b_public')
  bytes[1] = (bytes[1] ?? 0) + by
  expect(() => decode(TPM2B_PUBLIC, bytes)).toThrow(/^TPM2B_PUBLIC/)
})

test.each(KEYS)('%s may be enrolled as an attestation key', (key) => {
  expect(checkAttestationKey(recorded(`${key}.tpm2b_public`))).toEqual([])
})

test.each([
  ['ak.restricted', TPMA_OBJECT.restricted],
  ['ak.sign', TPMA_OBJECT.sign],
  ['ak.no-decrypt', TPMA_OBJECT.decrypt],
  ['ak.fixed-tpm', TPMA_OBJECT.fixedTPM],
  ['ak.fixed-parent', TPMA_OBJECT.fixedParent],
  ['ak.sensitive-data-origin', TPMA_OBJECT.sensitiveDataOrigin],
  ['ak.usable', TPMA_OBJECT.userWithAuth],
])('%s is asked for, and only that is reported', (id, bit) => {
  const objectAttributes = areaOf('ak_rsa').objectAttributes ^ bit
  expect(checkAttestationKey(withArea({ objectAttributes })).map((each) => each.id)).toEqual([id])
})

test('a key that only a policy may use may be enrolled', () => {
  const { objectAttributes } = areaOf('ak_rsa')
  const policy = {
    objectAttributes: objectAttributes ^ TPMA_OBJECT.userWithAuth,
    authPolicy: new Uint8Array(32),
  }
  expect(checkAttestationKey(withArea(policy))).toEqual([])
})

test('a key with the NULL name algorithm may not be enrolled', () => {
  const problems = checkAttestationKey(withArea({ nameAlg: 0x0010 }))
  expect(problems.map(({ id }) => id)).toEqual(['ak.name-alg'])
})

test('a key without a scheme may not be enrolled', () => {
  const { parameters } = areaOf('ak_ecc256')
  if (parameters.kind !== 'ecc') throw new Error('not an ECC key')
  const scheme = { kind: 'null', value: undefined } as const
  const changed = { kind: 'ecc', value: { ...parameters.value, scheme } } as const
  const problems = checkAttestationKey(withArea({ parameters: changed }, 'ak_ecc256'))
  expect(problems.map(({ id }) => id)).toEqual(['ak.scheme'])
})

test('bytes that are no TPM2B_PUBLIC are one problem with a place', () => {
  const [problem] = checkAttestationKey(recorded('ak_rsa.tpm2b_public').subarray(0, 40))
  expect(problem).toMatchObject({ id: 'ak.structure', message: /^TPM2B_PUBLIC at byte 2: needs/ })
})

test('a point off the curve is refused', () => {
  const bytes = recorded('ak_ecc256.tpm2b_public')
  const area = decode(TPM2B_PUBLIC, flipped(bytes, bytes.length - 1)).contents
  expect(() => publicKeyOf(area)).toThrow('the point is not on curve nist_p256')
})

test('a curve without a row is refused by its number', () => {
  const { parameters } = areaOf('ak_ecc256')
  if (parameters.kind !== 'ecc') throw new Error('not an ECC key')
  const changed = { kind: 'ecc', value: { ...parameters.value, curveID: 0x0010 } } as const
  expect(() => publicKeyOf({ ...areaOf('ak_ecc256'), parameters: changed })).toThrow('curve 0x10')
})

test.each([
  ['one byte short', (n: Uint8Array) => n.subarray(1), 'has not the 2048 bits'],
  ['even', (n: Uint8Array) => flipped(n, 255), 'the modulus is even'],
])('an RSA modulus that is %s is refused', (_, change, problem) => {
  const area = areaOf('ak_rsa')
  if (area.unique.kind !== 'rsa') throw new Error('not an RSA key')
  const unique = { kind: 'rsa', value: change(area.unique.value) } as const
  expect(() => publicKeyOf({ ...area, unique })).toThrow(problem)
})

test('a keyed hash is refused as a key type', () => {
  const bytes = encode(TPMT_PUBLIC, areaOf('ak_rsa'))
  bytes[1] = 8
  expect(() => decode(TPMT_PUBLIC, bytes)).toThrow(
    'TPMT_PUBLIC.type at byte 0: expected one of RSA, ECC, got 0x0008',
  )
})
