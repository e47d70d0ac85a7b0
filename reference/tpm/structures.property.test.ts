import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalBytes } from '../bytes/equal.ts'
import { concat } from '../bytes/writer.ts'
import { type Attest, TPMS_ATTEST } from './attest.ts'
import { attempt, type Codec, decode, encode } from './codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from './public.ts'
import { type Signature, TPMT_SIGNATURE } from './signature.ts'

const u16 = fc.nat(0xffff)
const u32 = fc.nat(0xffffffff)
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

function bytes(maxLength: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ maxLength })
}

const digest = bytes(64)
const name = bytes(66)

const selection = fc.array(
  fc.record({
    hash: u16,
    pcrSelect: fc.oneof(...[3, 4].map((n) => fc.uint8Array({ minLength: n, maxLength: n }))),
  }),
  { maxLength: 16 },
)

const clockInfo = fc.record({
  clock: u64,
  resetCount: u32,
  restartCount: u32,
  safe: fc.boolean(),
})

/** Every kind of attestation: type, name of the arm, and its fields. */
const attested: fc.Arbitrary<Pick<Attest, 'type' | 'attested'>> = fc.oneof(
  arm(0x8018, 'quote', fc.record({ pcrSelect: selection, pcrDigest: digest })),
  arm(0x8017, 'certify', fc.record({ name, qualifiedName: name })),
  arm(
    0x8019,
    'time',
    fc.record({ time: fc.record({ time: u64, clockInfo }), firmwareVersion: u64 }),
  ),
  arm(0x8014, 'nv', fc.record({ indexName: name, offset: u16, nvContents: bytes(100) })),
  arm(
    0x8015,
    'commandAudit',
    fc.record({ auditCounter: u64, digestAlg: u16, auditDigest: digest, commandDigest: digest }),
  ),
  arm(0x8016, 'sessionAudit', fc.record({ exclusiveSession: fc.boolean(), sessionDigest: digest })),
  arm(0x801a, 'creation', fc.record({ objectName: name, creationHash: digest })),
  arm(0x801c, 'nvDigest', fc.record({ indexName: name, nvDigest: digest })),
)

function arm<const Kind extends string, T>(type: number, kind: Kind, value: fc.Arbitrary<T>) {
  return value.map((each) => ({ type, attested: { kind, value: each } }))
}

const attest: fc.Arbitrary<Attest> = fc
  .tuple(
    fc.record({ magic: u32, qualifiedSigner: name, extraData: bytes(66) }),
    fc.record({ clockInfo, firmwareVersion: u64 }),
    attested,
  )
  .map(([head, middle, tail]) => ({ ...head, ...middle, ...tail }))

const rsa = fc.record({ hash: u16, sig: bytes(512) })
const ecc = fc.record({ hash: u16, signatureR: bytes(66), signatureS: bytes(66) })

const signature: fc.Arbitrary<Signature> = fc.oneof(
  fc.record({ kind: fc.constantFrom('rsassa', 'rsapss'), value: rsa }),
  fc.record({ kind: fc.constantFrom('ecdsa', 'ecdaa', 'sm2', 'ecschnorr'), value: ecc }),
)

const NOTHING = { kind: 'null', value: undefined } as const
const hashed = fc.record({ hashAlg: u16 })

const parameters = fc.oneof(
  fc.record({
    type: fc.constant(0x0001),
    parameters: fc.record({
      kind: fc.constant('rsa'),
      value: fc.record({
        symmetric: fc.constant(NOTHING),
        scheme: fc.record({ kind: fc.constantFrom('rsassa', 'rsapss', 'oaep'), value: hashed }),
        keyBits: u16,
        exponent: u32,
      }),
    }),
    unique: fc.record({ kind: fc.constant('rsa'), value: bytes(512) }),
  }),
  fc.record({
    type: fc.constant(0x0023),
    parameters: fc.record({
      kind: fc.constant('ecc'),
      value: fc.record({
        symmetric: fc.record({
          kind: fc.constantFrom('aes', 'sm4', 'camellia'),
          value: fc.record({ keyBits: u16, mode: u16 }),
        }),
        scheme: fc.record({ kind: fc.constantFrom('ecdsa', 'sm2'), value: hashed }),
        curveID: u16,
        kdf: fc.record({ kind: fc.constantFrom('mgf1', 'kdf2'), value: hashed }),
      }),
    }),
    unique: fc.record({
      kind: fc.constant('ecc'),
      value: fc.record({ x: bytes(66), y: bytes(66) }),
    }),
  }),
)

const publicArea = fc
  .tuple(fc.record({ nameAlg: u16, objectAttributes: u32, authPolicy: digest }), parameters)
  .map(([head, tail]) => ({
    bytes: new Uint8Array(),
    contents: { ...head, ...tail } as PublicArea,
  }))

const STRUCTURES: readonly (readonly [string, fc.Arbitrary<Uint8Array>, Codec<unknown>])[] = [
  ['TPMS_ATTEST', attest.map((value) => encode(TPMS_ATTEST, value)), TPMS_ATTEST],
  ['TPMT_SIGNATURE', signature.map((value) => encode(TPMT_SIGNATURE, value)), TPMT_SIGNATURE],
  ['TPM2B_PUBLIC', publicArea.map((value) => encode(TPM2B_PUBLIC, value)), TPM2B_PUBLIC],
]

test('an attestation of any kind is read back as it was', () => {
  fc.assert(
    fc.property(attest, (value) => {
      expect(decode(TPMS_ATTEST, encode(TPMS_ATTEST, value))).toEqual(value)
    }),
  )
})

test('a signature of any kind is read back as it was', () => {
  fc.assert(
    fc.property(signature, (value) => {
      expect(decode(TPMT_SIGNATURE, encode(TPMT_SIGNATURE, value))).toEqual(value)
    }),
  )
})

test('a public area is read back as it was', () => {
  fc.assert(
    fc.property(publicArea, ({ contents }) => {
      const read = decode(TPM2B_PUBLIC, encode(TPM2B_PUBLIC, { bytes: new Uint8Array(), contents }))
      expect(read.contents).toEqual(contents)
    }),
  )
})

test.each(STRUCTURES)(
  'any %s is refused when it is cut, wherever that is',
  (_, structure, codec) => {
    fc.assert(
      fc.property(
        structure,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (whole, part) => {
          const cut = whole.subarray(0, Math.floor(part * whole.length))
          expect(attempt(codec, cut).problem?.path).toMatch(new RegExp(`^${codec.name}`))
          expect(attempt(codec, cut).value).toBeUndefined()
        },
      ),
      { numRuns: 300 },
    )
  },
)

test.each(STRUCTURES)('any %s is refused with bytes behind it', (_, structure, codec) => {
  fc.assert(
    fc.property(structure, fc.uint8Array({ minLength: 1, maxLength: 700 }), (whole, more) => {
      expect(attempt(codec, concat(whole, more)).problem?.offset).toBe(whole.length)
    }),
  )
})

test.each(STRUCTURES)('bytes that decode as %s encode to the same bytes', (_, structure, codec) => {
  const at = fc.nat(10_000)
  fc.assert(
    fc.property(
      structure,
      fc.array(fc.tuple(at, fc.nat(255)), { maxLength: 3 }),
      (whole, patches) => {
        const patched = whole.slice()
        for (const [place, value] of patches) patched[place % patched.length] = value
        const { value, problem } = attempt(codec, patched)
        if (!problem) expect(equalBytes(encode(codec, value), patched)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})
