import { toBase64 } from '../../../bytes/base64.ts'
import { recorded } from '../../../tpm/testing/recorded-boot.ts'

/** Keys of a real TPM, base64: TPM2B_PUBLIC, but for the certificates, which are DER. */
export const KEYS = {
  akRsa: toBase64(recorded('ak_rsa.tpm2b_public')),
  akRsapss: toBase64(recorded('ak_rsapss.tpm2b_public')),
  akEcc256: toBase64(recorded('ak_ecc256.tpm2b_public')),
  akEcc384: toBase64(recorded('ak_ecc384.tpm2b_public')),
  ek: toBase64(recorded('ek_rsa.tpm2b_public')),
  ekcert: toBase64(recorded('ekcert_1c00002.der')),
  /** EK certificate of a P-384 key, for which there is no default template. */
  ekcertEcc384: toBase64(recorded('ekcert_1c00016.der')),
} as const
