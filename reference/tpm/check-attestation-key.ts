import { hashById } from './algorithms.ts'
import { attempt } from './codec.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT } from './public.ts'
import { publicKeyOf } from './public-key.ts'
import { UnsupportedKey } from './unsupported-key.ts'

/** One demand that an attestation key does not meet. */
export interface KeyProblem {
  /** id of the demand: `ak.restricted` */
  readonly id: string
  /** one readable sentence */
  readonly message: string
}

/** One demand on an attestation key; `demand` completes the sentence "an attestation key must …". */
export interface KeyCheck {
  readonly id: string
  readonly demand: string
  readonly why: string
  holds(area: PublicArea): boolean
}

function has(area: PublicArea, bit: keyof typeof TPMA_OBJECT): boolean {
  return (area.objectAttributes & TPMA_OBJECT[bit]) !== 0
}

/** Demands on an attestation key, in the order in which they are reported (Part 1 section 25, Part 2 8.3.3). */
export const attestationKeyChecks: readonly KeyCheck[] = [
  {
    id: 'ak.restricted',
    demand: 'be restricted',
    why: 'an unrestricted key signs a structure that looks like a quote and was made outside the TPM',
    holds: (area) => has(area, 'restricted'),
  },
  {
    id: 'ak.sign',
    demand: 'be a signing key',
    why: 'a key that cannot sign cannot attest',
    holds: (area) => has(area, 'sign'),
  },
  {
    id: 'ak.no-decrypt',
    demand: 'not be a decryption key',
    why: 'a key that also decrypts can be made to apply its private half to chosen bytes',
    holds: (area) => !has(area, 'decrypt'),
  },
  {
    id: 'ak.fixed-tpm',
    demand: 'be fixed to its TPM',
    why: 'a key that can be duplicated attests for any machine that holds a copy',
    holds: (area) => has(area, 'fixedTPM'),
  },
  {
    id: 'ak.fixed-parent',
    demand: 'be fixed to its parent',
    why: 'a key under another parent can leave the TPM with it',
    holds: (area) => has(area, 'fixedParent'),
  },
  {
    id: 'ak.sensitive-data-origin',
    demand: 'have been created inside the TPM',
    why: 'the importer of the private half may have kept a copy',
    holds: (area) => has(area, 'sensitiveDataOrigin'),
  },
  {
    id: 'ak.usable',
    demand: 'be usable by an authorization value or by a policy',
    why: 'a key that obeys neither never signs a quote',
    holds: (area) => has(area, 'userWithAuth') || area.authPolicy.length > 0,
  },
  {
    id: 'ak.name-alg',
    demand: 'have a nameAlg that is a known hash',
    why: 'without one the key has no Name, and a credential blob is bound to nothing',
    holds: (area) => hashById(area.nameAlg)?.digest !== undefined,
  },
  {
    id: 'ak.scheme',
    demand: 'have a signing scheme with a known hash',
    why: 'a restricted key without a scheme signs in whichever scheme the caller asks for',
    holds: hasSigningScheme,
  },
  {
    id: 'ak.public-key',
    demand: 'hold a public key that can be used',
    why: 'a point off its curve or a malformed modulus breaks what every signature rests on',
    holds: isUsable,
  },
]

const SIGNING_SCHEMES: readonly string[] = [
  'rsassa',
  'rsapss',
  'ecdsa',
  'ecdaa',
  'ecschnorr',
  'sm2',
]

function hasSigningScheme(area: PublicArea): boolean {
  const { scheme } = area.parameters.value
  if (!SIGNING_SCHEMES.includes(scheme.kind) || scheme.value === undefined) return false
  return hashById(scheme.value.hashAlg)?.digest !== undefined
}

function isUsable(area: PublicArea): boolean {
  try {
    publicKeyOf(area)
    return true
  } catch (error) {
    if (error instanceof UnsupportedKey) return false
    throw error
  }
}

/**
 * The problems of a key as an attestation key; empty if it can be enrolled.
 * A TPM2B_PUBLIC that does not decode is one problem with the id `ak.structure`.
 */
export function checkAttestationKey(
  tpm2bPublic: Uint8Array,
  checks: readonly KeyCheck[] = attestationKeyChecks,
): readonly KeyProblem[] {
  const { value, problem } = attempt(TPM2B_PUBLIC, tpm2bPublic)
  if (problem) return [{ id: 'ak.structure', message: problem.message }]
  return keyProblems(value.contents, checks)
}

/** {@link checkAttestationKey} for a key that has been decoded already. */
export function keyProblems(
  area: PublicArea,
  checks: readonly KeyCheck[] = attestationKeyChecks,
): readonly KeyProblem[] {
  return checks
    .filter((check) => !check.holds(area))
    .map(({ id, demand, why }) => ({ id, message: `an attestation key must ${demand}: ${why}` }))
}
