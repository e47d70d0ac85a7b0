import { TPM_ECC } from '../../simulator/tpm/constants.ts'
import { parseTpm2bPublic } from '../../simulator/tpm/public.ts'
import { unbase64 } from '../client/bytes.ts'

const LENGTHS: Readonly<Record<number, number>> = {
  [TPM_ECC.NIST_P256]: 256,
  [TPM_ECC.NIST_P384]: 384,
  [TPM_ECC.NIST_P521]: 521,
}

/** The names that `enc_alg` may have for a key in TPM2B_PUBLIC, base64: its kind, alone or with its length in bits. */
export function namesOfKey(tpm2bPublic: string): readonly string[] {
  const key = parseTpm2bPublic(unbase64(tpm2bPublic))
  const length = key.type === 'rsa' ? key.keyBits : LENGTHS[key.curve]
  return [key.type, `${key.type}${length}`]
}
