import { createECDH } from 'node:crypto'
import { readAttestationKey } from '../../../evidence/quote/read-attestation-key.ts'
import type { Random } from '../../../platform/random.ts'
import { type Curve, curves, hashes } from '../../../tpm/algorithms.ts'
import { attempt, encode } from '../../../tpm/codec.ts'
import { keyAlgorithm } from '../../../tpm/key-algorithm.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT } from '../../../tpm/public.ts'
import { type Signature, TPMT_SIGNATURE } from '../../../tpm/signature.ts'

/** The key that a proof is verified with, and whether it is the enrolled one. */
interface ProofKey {
  readonly attestationKey: Uint8Array
  readonly isEnrolled: boolean
}

/**
 * Keys of every kind without private halves. A proof for an agent that is not enrolled, or by a signature
 * that its key cannot have made, costs one verification under a key of the signature's kind, as any other does:
 * the time of the answer does not reveal which agents are enrolled, or with which keys.
 */
export interface StandInKeys {
  /** TPM2B_PUBLIC of the enrolled key where it can have made the TPMT_SIGNATURE, else of one that stands in for it. */
  keyFor(signature: Uint8Array, enrolled: Uint8Array | undefined): ProofKey
}

const RSA_BYTES = [256, 384, 512]
const CURVES = Object.values(curves).toSorted((one, other) => one.size - other.size)

export function standInKeys(random: Random): StandInKeys {
  const made = [
    ...CURVES.map((curve) => eccKey(curve, random)),
    ...RSA_BYTES.map((size) => rsaKey(size, random)),
  ]
  const byKind = new Map(made.map((area) => [keyAlgorithm(area), publicOf(area)]))
  // A signature that no key can have made is verified by none: any key can stand in for it.
  const [any = new Uint8Array()] = byKind.values()
  return {
    keyFor(signature, enrolled) {
      const kind = kindOf(attempt(TPMT_SIGNATURE, signature).value)
      const area = enrolled && readAttestationKey(enrolled).value?.area
      if (enrolled !== undefined && area !== undefined && keyAlgorithm(area) === kind)
        return { attestationKey: enrolled, isEnrolled: true }
      return { attestationKey: byKind.get(kind) ?? any, isEnrolled: false }
    },
  }
}

/**
 * The algorithm of the keys that make such a signature, as `keyAlgorithm` names it. Of a curve it is the smallest
 * that its numbers fit: a TPM leaves out zeros, but never so many that they would fit the next smaller one.
 */
function kindOf(signature: Signature | undefined): string {
  if (signature === undefined) return ''
  if ('sig' in signature.value) return `rsa${signature.value.sig.length * 8}`
  if (!('signatureR' in signature.value)) return ''
  const { signatureR, signatureS } = signature.value
  const longer = Math.max(signatureR.length, signatureS.length)
  const curve = CURVES.find(({ size }) => size >= longer)
  return `ecc${curve?.name.replace(/\D+/g, '')}`
}

const COMMON = {
  nameAlg: hashes.sha256.id,
  objectAttributes:
    TPMA_OBJECT.fixedTPM |
    TPMA_OBJECT.fixedParent |
    TPMA_OBJECT.sensitiveDataOrigin |
    TPMA_OBJECT.userWithAuth |
    TPMA_OBJECT.restricted |
    TPMA_OBJECT.sign,
  authPolicy: new Uint8Array(),
}

const NONE = { kind: 'null', value: undefined } as const

function publicOf(contents: PublicArea): Uint8Array {
  return encode(TPM2B_PUBLIC, { bytes: new Uint8Array(), contents })
}

/** Any odd number of that length is a modulus to verify under; its factors are unknown, as intended. */
function rsaKey(size: number, random: Random): PublicArea {
  const modulus = Uint8Array.from(random.bytes(size))
  modulus[0] = (modulus[0] ?? 0) | 0x80
  modulus[size - 1] = (modulus[size - 1] ?? 0) | 1
  const scheme = { kind: 'rsassa', value: { hashAlg: hashes.sha256.id } } as const
  return {
    ...COMMON,
    type: RSA,
    parameters: {
      kind: 'rsa',
      value: { symmetric: NONE, scheme, keyBits: size * 8, exponent: 0 },
    },
    unique: { kind: 'rsa', value: modulus },
  }
}

/** The private number is forgotten as soon as the point is made. */
function eccKey(curve: Curve, random: Random): PublicArea {
  const ecdh = createECDH(curve.openssl)
  // A byte less than the order of the curve has, so that it is below it; one byte is not 0 in any case.
  ecdh.setPrivateKey(Buffer.concat([Uint8Array.of(1), random.bytes(curve.size - 2)]))
  const point = new Uint8Array(ecdh.getPublicKey().subarray(1))
  const scheme = { kind: 'ecdsa', value: { hashAlg: hashes.sha256.id } } as const
  return {
    ...COMMON,
    type: ECC,
    parameters: {
      kind: 'ecc',
      value: { symmetric: NONE, scheme, curveID: curve.id, kdf: NONE },
    },
    unique: {
      kind: 'ecc',
      value: { x: point.subarray(0, curve.size), y: point.subarray(curve.size) },
    },
  }
}

const RSA = 0x0001
const ECC = 0x0023
