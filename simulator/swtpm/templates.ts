import { TPM_ALG, TPM_ECC, TPMA_OBJECT } from '../tpm/constants.ts'
import type { TPMT_PUBLIC } from '../tpm/public.ts'
import { filled, fromHex, text } from '../tpm/write.ts'

/** The two kinds of attestation key a machine can have, named as the interface names them. */
export type AkAlgorithm = 'rsa2048' | 'ecc256'

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

/** What is the same in the templates of both identity keys on P-256. */
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

/** Template H-2 of an IDevID: the same, but for any signature. */
export const IDEVID_ECC256: TPMT_PUBLIC = {
  ...IDENTITY_ECC256,
  objectAttributes: IDENTITY_ATTRIBUTES,
  authPolicy: fromHex('ad6b3a2284fd698a0710bf5cc1b9bdf15e2532e3f601fa4b93a6a8fa8de579ea'),
  x: text('IDEVID'),
  y: text('IDEVID'),
}

export interface SigningKeyOptions {
  /** Default true: the key signs only what the TPM made. */
  readonly restricted?: boolean
  /** Any text: a primary key is derived from its template, so another text gives another key. Default ''. */
  readonly label?: string
}

/** Template of a signing primary key with SHA-256: RSASSA for `rsa2048`, ECDSA on P-256 for `ecc256`. */
export function signingTemplate(
  algorithm: AkAlgorithm,
  { restricted = true, label = '' }: SigningKeyOptions = {},
): TPMT_PUBLIC {
  const common = {
    nameAlg: TPM_ALG.SHA256,
    objectAttributes:
      COMMON_ATTRIBUTES |
      TPMA_OBJECT.userWithAuth |
      TPMA_OBJECT.sign |
      (restricted ? TPMA_OBJECT.restricted : 0),
    authPolicy: filled(0),
    symmetric: NO_SYMMETRIC,
  }
  const hash = TPM_ALG.SHA256
  if (algorithm === 'rsa2048') {
    const scheme = { alg: TPM_ALG.RSASSA, hash }
    return { type: 'rsa', ...common, scheme, keyBits: 2048, exponent: 0, unique: text(label) }
  }
  const parameters = { curve: TPM_ECC.NIST_P256, kdf: { alg: TPM_ALG.NULL } }
  const scheme = { alg: TPM_ALG.ECDSA, hash }
  return { type: 'ecc', ...common, scheme, ...parameters, x: text(label), y: filled(0) }
}
