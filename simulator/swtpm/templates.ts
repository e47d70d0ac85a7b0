import { TPM_ALG, TPM_ECC, TPMA_OBJECT } from '../tpm/constants.ts'
import { type Bank, HASHES } from '../tpm/hash.ts'
import type { TPMT_PUBLIC } from '../tpm/public.ts'
import { filled, fromHex, text } from '../tpm/write.ts'

/** The algorithms of attestation keys, as the interface names them. */
export type AkAlgorithm = 'rsa2048' | 'rsa3072' | 'ecc256' | 'ecc384' | 'ecc521'

export type SchemeName = 'rsassa' | 'rsapss' | 'ecdsa'

/** An attestation key's algorithm, scheme and hash. */
export interface AkKind {
  readonly algorithm: AkAlgorithm
  /** Default RSASSA or ECDSA. */
  readonly scheme?: SchemeName
  /** Default SHA-256. */
  readonly hash?: Bank
}

const SCHEMES: Readonly<Record<SchemeName, number>> = {
  rsassa: TPM_ALG.RSASSA,
  rsapss: TPM_ALG.RSAPSS,
  ecdsa: TPM_ALG.ECDSA,
}

/** Bits of the modulus, or the curve. */
const PARAMETERS: Readonly<
  Record<AkAlgorithm, { readonly keyBits: number } | { readonly curve: number }>
> = {
  rsa2048: { keyBits: 2048 },
  rsa3072: { keyBits: 3072 },
  ecc256: { curve: TPM_ECC.NIST_P256 },
  ecc384: { curve: TPM_ECC.NIST_P384 },
  ecc521: { curve: TPM_ECC.NIST_P521 },
}

/** Returns the default scheme of an algorithm. */
export function usualScheme(algorithm: AkAlgorithm): SchemeName {
  return 'keyBits' in PARAMETERS[algorithm] ? 'rsassa' : 'ecdsa'
}

const NO_SYMMETRIC = { alg: TPM_ALG.NULL }
const COMMON_ATTRIBUTES =
  TPMA_OBJECT.fixedTPM | TPMA_OBJECT.fixedParent | TPMA_OBJECT.sensitiveDataOrigin

/** PolicyA of the TCG EK Credential Profile: PolicySecret(TPM_RH_ENDORSEMENT) alone. */
const POLICY_A = fromHex('837197674484b3f81a90cc8d46a5d724fd52d76e06520b64f2a1da1b331469aa')

/** Template L-1 of the TCG EK Credential Profile (B.3.3): RSA-2048, SHA-256, AES-128-CFB, low range. */
export const EK_RSA2048: TPMT_PUBLIC = {
  type: 'rsa',
  nameAlg: TPM_ALG.SHA256,
  objectAttributes:
    COMMON_ATTRIBUTES | TPMA_OBJECT.adminWithPolicy | TPMA_OBJECT.restricted | TPMA_OBJECT.decrypt,
  authPolicy: POLICY_A,
  symmetric: { alg: TPM_ALG.AES, keyBits: 128, mode: TPM_ALG.CFB },
  scheme: { alg: TPM_ALG.NULL },
  keyBits: 2048,
  exponent: 0,
  unique: filled(256),
}

/** Common fields of the templates of both identity keys on P-256. */
const IDENTITY_ECC256 = {
  type: 'ecc',
  nameAlg: TPM_ALG.SHA256,
  symmetric: NO_SYMMETRIC,
  scheme: { alg: TPM_ALG.ECDSA, hash: TPM_ALG.SHA256 },
  curve: TPM_ECC.NIST_P256,
  kdf: { alg: TPM_ALG.NULL },
} as const

const IDENTITY_ATTRIBUTES =
  COMMON_ATTRIBUTES | TPMA_OBJECT.userWithAuth | TPMA_OBJECT.adminWithPolicy | TPMA_OBJECT.sign

/** Template H-2 of an IAK (TCG TPM 2.0 Keys for Device Identity and Attestation, 7.3.4): P-256, SHA-256. */
export const IAK_ECC256: TPMT_PUBLIC = {
  ...IDENTITY_ECC256,
  objectAttributes: IDENTITY_ATTRIBUTES | TPMA_OBJECT.restricted,
  authPolicy: fromHex('5437182326e414fca797d5f174615a1641f61255797c3a2b22c21d120b2d1e07'),
  x: text('IAK'),
  y: text('IAK'),
}

/** Template H-2 of an IDevID: the same, but unrestricted. */
export const IDEVID_ECC256: TPMT_PUBLIC = {
  ...IDENTITY_ECC256,
  objectAttributes: IDENTITY_ATTRIBUTES,
  authPolicy: fromHex('ad6b3a2284fd698a0710bf5cc1b9bdf15e2532e3f601fa4b93a6a8fa8de579ea'),
  x: text('IDEVID'),
  y: text('IDEVID'),
}

export interface SigningKeyOptions extends Omit<AkKind, 'algorithm'> {
  /** Default true: the key signs only structures made by the TPM. */
  readonly restricted?: boolean
  /** Any text: a primary key is derived from its template, so another text gives another key. Default ''. */
  readonly label?: string
}

/** Template of a signing primary key. */
export function signingTemplate(
  algorithm: AkAlgorithm,
  options: SigningKeyOptions = {},
): TPMT_PUBLIC {
  const { restricted = true, label = '', hash = 'sha256' } = options
  const { scheme = usualScheme(algorithm) } = options
  const common = {
    nameAlg: TPM_ALG.SHA256,
    objectAttributes:
      COMMON_ATTRIBUTES |
      TPMA_OBJECT.userWithAuth |
      TPMA_OBJECT.sign |
      (restricted ? TPMA_OBJECT.restricted : 0),
    authPolicy: filled(0),
    symmetric: NO_SYMMETRIC,
    scheme: { alg: SCHEMES[scheme], hash: HASHES[hash].alg },
  }
  const parameters = PARAMETERS[algorithm]
  if ('keyBits' in parameters)
    return { type: 'rsa', ...common, ...parameters, exponent: 0, unique: text(label) }
  const kdf = { alg: TPM_ALG.NULL }
  return { type: 'ecc', ...common, ...parameters, kdf, x: text(label), y: filled(0) }
}
