import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { bytesOf } from '../soft/arithmetic.ts'
import { P256, P384, P521, pointOf, type Scalars, signEcdsa } from '../soft/ecdsa.ts'
import { rsaKeyOf, scalarOf } from '../soft/keys.ts'
import { signPss } from '../soft/pss.ts'
import { TPM_ALG, TPM_ECC } from '../tpm/constants.ts'
import { type Bank, HASHES } from '../tpm/hash.ts'
import { type TPMT_PUBLIC, writePublic } from '../tpm/public.ts'
import { writeSignature } from '../tpm/signature.ts'
import { tpm2b } from '../tpm/write.ts'

const NOTHING = new Uint8Array()

/** TPMA_OBJECT of an attestation key: fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, restricted, sign. */
const AK_ATTRIBUTES = 0x00050072

/**
 * A key outside any TPM with the public area of an attestation key. It signs any bytes, so a structure that no TPM
 * would produce can carry a signature that verifies.
 */
export interface SoftAttester {
  /** TPM2B_PUBLIC, with its size. */
  readonly public: Uint8Array
  readonly area: TPMT_PUBLIC
  /** Returns a TPMT_SIGNATURE over any bytes; default SHA-256. The same bytes always get the same signature. */
  sign(message: Uint8Array, bank?: Bank): Uint8Array
}

/** A soft attester with an ECC key, which also returns the bare numbers of a signature. */
interface EccAttester extends SoftAttester {
  readonly scalars: (message: Uint8Array, bank?: Bank, salt?: string) => Scalars
}

/** A soft attester with RSA-2048, which also returns bare RSAPSS signatures over a chosen salt. */
interface RsaAttester extends SoftAttester {
  readonly pss: (message: Uint8Array, salt: Uint8Array) => Uint8Array
}

/** Returns the TPM2B_PUBLIC of a public area. */
export function tpm2bPublic(area: TPMT_PUBLIC): Uint8Array {
  return tpm2b(writePublic(area))
}

const COMMON = {
  nameAlg: TPM_ALG.SHA256,
  objectAttributes: AK_ATTRIBUTES,
  authPolicy: NOTHING,
  symmetric: { alg: TPM_ALG.NULL },
}

/** Each curve with the hash of its security strength. */
const CURVES = {
  'P-256': { id: TPM_ECC.NIST_P256, on: P256, hash: TPM_ALG.SHA256 },
  'P-384': { id: TPM_ECC.NIST_P384, on: P384, hash: TPM_ALG.SHA384 },
  'P-521': { id: TPM_ECC.NIST_P521, on: P521, hash: TPM_ALG.SHA512 },
} as const

/**
 * Returns the key derived from a label, with the scheme ECDSA; default P-256 and SHA-256. Its private number has 256
 * bits on each curve: enough for tests.
 */
export function eccAttester(label: string, curve: keyof typeof CURVES = 'P-256'): EccAttester {
  const scalar = scalarOf(`${label} ${curve}`)
  const { id, on, hash } = CURVES[curve]
  const area: TPMT_PUBLIC = {
    type: 'ecc',
    ...COMMON,
    scheme: { alg: TPM_ALG.ECDSA, hash },
    curve: id,
    kdf: { alg: TPM_ALG.NULL },
    ...pointOf(scalar, on),
  }
  const scalars: EccAttester['scalars'] = (message, bank, salt) =>
    signEcdsa(scalar, message, bank, salt, on)
  return {
    public: tpm2bPublic(area),
    area,
    scalars,
    sign: (message, bank = 'sha256') => ecdsaSignature(scalars(message, bank), bank, on.size),
  }
}

/** Returns the TPMT_SIGNATURE of ECDSA numbers, each of the length of the field. */
export function ecdsaSignature(
  { r, s }: Scalars,
  bank: Bank = 'sha256',
  size = P256.size,
): Uint8Array {
  return writeSignature({
    kind: 'ecc',
    sigAlg: TPM_ALG.ECDSA,
    hash: HASHES[bank].alg,
    r: bytesOf(r, size),
    s: bytesOf(s, size),
    leftover: NOTHING,
  })
}

/** Returns the RSA-2048 key derived from a label, or another one, with SHA-256; default scheme RSASSA. */
export function rsaAttester(
  label: string,
  scheme: number = TPM_ALG.RSASSA,
  key: KeyObject = rsaKeyOf(`${label} RSA-2048`),
): RsaAttester {
  const { n = '' } = createPublicKey(key).export({ format: 'jwk' })
  const area: TPMT_PUBLIC = {
    type: 'rsa',
    ...COMMON,
    scheme: { alg: scheme, hash: TPM_ALG.SHA256 },
    keyBits: 2048,
    exponent: 0,
    unique: new Uint8Array(Buffer.from(n, 'base64url')),
  }
  const pss: RsaAttester['pss'] = (message, salt) => signPss(key, message, salt)
  return {
    public: tpm2bPublic(area),
    area,
    pss,
    sign(message, bank = 'sha256') {
      const plain = () => new Uint8Array(sign(bank, message, key))
      const sig = scheme === TPM_ALG.RSAPSS ? pss(message, new Uint8Array(32)) : plain()
      return rsaSignature(sig, scheme, bank)
    },
  }
}

/** Returns the TPMT_SIGNATURE of an RSA signature. */
export function rsaSignature(
  sig: Uint8Array,
  sigAlg: number = TPM_ALG.RSASSA,
  bank: Bank = 'sha256',
): Uint8Array {
  return writeSignature({ kind: 'rsa', sigAlg, hash: HASHES[bank].alg, sig, leftover: NOTHING })
}
