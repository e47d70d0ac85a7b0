import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ekCertificateWith } from '../testing/ek-certificates.ts'
import { extension, hex, IDS, sequence } from '../testing/write-certificate.ts'
import { ekChecks } from './ek-checks.ts'
import { parseEkCertificate } from './parse-certificate.ts'

function hasProblem(bytes: Uint8Array, missing: string | undefined): boolean {
  const read = parseEkCertificate(bytes)
  return ekChecks.some((check) => check.id !== missing && check.problem(read) !== undefined)
}

/** BasicConstraints with and without a path length, critical or not. */
function isNoAuthority(missing?: string) {
  const length = fc.option(fc.nat(100), { nil: undefined })
  return fc.property(fc.boolean(), length, fc.boolean(), (ca, pathLength, critical) => {
    const parts = [
      ...(ca ? [hex('0101ff')] : []),
      ...(ca && pathLength !== undefined ? [Uint8Array.of(2, 1, pathLength)] : []),
    ]
    const constraints = extension(IDS.constraints, sequence(...parts), critical)
    expect(hasProblem(ekCertificateWith({ instead: { constraints } }), missing)).toBe(ca)
  })
}

const spkiOf = ({ publicKey }: { readonly publicKey: KeyObject }) =>
  new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))

/** Keys, and whether an endorsement key is of that kind (TCG EK Credential Profile, B.4). */
const KEYS: readonly (readonly [spki: Uint8Array, fits: boolean])[] = [
  ...[512, 1024, 1536, 2048].map(
    (modulusLength) =>
      [spkiOf(generateKeyPairSync('rsa', { modulusLength })), modulusLength >= 2048] as const,
  ),
  ...['P-256', 'P-384', 'P-521', 'secp256k1', 'brainpoolP256r1'].map(
    (namedCurve) =>
      [spkiOf(generateKeyPairSync('ec', { namedCurve })), namedCurve.startsWith('P-')] as const,
  ),
  [spkiOf(generateKeyPairSync('ed25519')), false],
]

function hasEndorsementKey(missing?: string) {
  return fc.property(fc.constantFrom(...KEYS), ([spki, fits]) => {
    expect(hasProblem(ekCertificateWith({ spki }), missing)).toBe(!fits)
  })
}

test('ekcert.end: a certificate of an authority is refused, and is not without the check', () => {
  fc.assert(isNoAuthority())
  expect(fc.check(isNoAuthority('ekcert.end'), { numRuns: 20_000 }).failed).toBe(true)
})

test('ekcert.key: a key that no endorsement key can be is refused, and is not without the check', () => {
  fc.assert(hasEndorsementKey())
  expect(fc.check(hasEndorsementKey('ekcert.key'), { numRuns: 20_000 }).failed).toBe(true)
})
