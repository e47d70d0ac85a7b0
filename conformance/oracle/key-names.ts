import { TPM_ECC } from '../../simulator/tpm/constants.ts'
import { parseTpm2bPublic } from '../../simulator/tpm/public.ts'
import { unbase64 } from '../client/bytes.ts'

/** Ends of the names of curves; a curve that is not here has no length in its name. */
const CURVES: Readonly<Record<number, string>> = {
  [TPM_ECC.NIST_P192]: '192',
  [TPM_ECC.NIST_P224]: '224',
  [TPM_ECC.NIST_P256]: '256',
  [TPM_ECC.NIST_P384]: '384',
  [TPM_ECC.NIST_P521]: '521',
  [TPM_ECC.SM2_P256]: '_sm2',
}

/**
 * The names that `enc_alg` may have for a key in TPM2B_PUBLIC, base64: its kind, alone or with its length in bits.
 * Empty if it cannot be parsed.
 */
export function namesOfKey(tpm2bPublic: string): readonly string[] {
  try {
    const key = parseTpm2bPublic(unbase64(tpm2bPublic))
    const end = key.type === 'rsa' ? key.keyBits : CURVES[key.curve]
    return end === undefined ? [key.type] : [key.type, `${key.type}${end}`]
  } catch {
    return []
  }
}
