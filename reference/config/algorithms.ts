import { hashes, signatureSchemes } from '../tpm/algorithms.ts'
import type { Signing } from '../tpm/commands/attestation.ts'
import type { ENDORSEMENT_TEMPLATES } from '../tpm/endorsement-template.ts'

/** Key kinds of an agent by their names with a length, and the generic name that API 2.4 and older have for each. */
export const GENERIC_NAMES = {
  rsa2048: 'rsa',
  ecc256: 'ecc',
  ecc384: 'ecc',
  ecc521: 'ecc',
  rsa3072: 'rsa',
  rsa4096: 'rsa',
} as const satisfies Record<keyof typeof ENDORSEMENT_TEMPLATES, string>
export type KeyKind = keyof typeof GENERIC_NAMES

/** The length of a key in bits, which its name ends with. */
export function bitsOf(kind: KeyKind): number {
  return Number(kind.slice(3))
}

/** What `tpm_encryption_alg` may say: a name with a length, or the generic one for it. */
export const KEY_KINDS = {
  rsa: 'rsa2048',
  rsa2048: 'rsa2048',
  ecc: 'ecc256',
  ecc256: 'ecc256',
  ecc384: 'ecc384',
  ecc521: 'ecc521',
  rsa3072: 'rsa3072',
  rsa4096: 'rsa4096',
} as const satisfies Readonly<Record<string, KeyKind>>

/** What `tpm_hash_alg` and `tpm_signing_alg` may say. */
export const HASH_NAMES = ['sha256', 'sha384', 'sha512', 'sha1'] as const
export const SIGNING_NAMES = ['rsassa', 'rsapss', 'ecdsa'] as const
type HashName = (typeof HASH_NAMES)[number]
type SigningName = (typeof SIGNING_NAMES)[number]

/** The kinds and signature schemes of an agent's keys; the hash is also that of the PCR bank. */
export interface Algorithms {
  readonly key: KeyKind
  readonly hash: HashName
  readonly signing: SigningName
}

/** Whether that kind of key signs in that way. */
export function fitTogether({ key, signing }: Algorithms): boolean {
  return signatureSchemes[signing]?.keyType === GENERIC_NAMES[key]
}

export function signingOf({ hash, signing }: Algorithms): Signing {
  const scheme = signatureSchemes[signing]
  if (scheme === undefined) throw new TypeError(`${signing} has no row among the schemes`)
  return { scheme, hash: hashes[hash] }
}
