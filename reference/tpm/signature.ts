import { type Codec, type Decoded, struct, tagged, tpm2b, u16 } from './codec.ts'

/** Largest RSA key this implementation reads, in bytes. */
export const MAX_RSA_KEY_BYTES = 512

/** Largest coordinate of a curve, in bytes (P-521). */
export const MAX_ECC_KEY_BYTES = 66

/** TPMS_SIGNATURE_RSA (Part 2, 11.3.1) */
const TPMS_SIGNATURE_RSA = struct('TPMS_SIGNATURE_RSA', {
  hash: u16,
  sig: tpm2b('TPM2B_PUBLIC_KEY_RSA', MAX_RSA_KEY_BYTES),
})

const coordinate = tpm2b('TPM2B_ECC_PARAMETER', MAX_ECC_KEY_BYTES)

/** TPMS_SIGNATURE_ECC (Part 2, 11.3.2) */
const TPMS_SIGNATURE_ECC = struct('TPMS_SIGNATURE_ECC', {
  hash: u16,
  signatureR: coordinate,
  signatureS: coordinate,
})

function refused(name: string, why: string): Codec<{ readonly hash: number }> {
  return {
    name,
    read(reader) {
      throw reader.error(why)
    },
    write() {
      throw new TypeError(why)
    },
  }
}

/**
 * TPMT_SIGNATURE (Part 2, 11.3.4).
 * Schemes that cannot be verified are decoded too, so that the refusal can name them; an HMAC proves
 * nothing to a verifier without the key and is refused here.
 */
export const TPMT_SIGNATURE = tagged('TPMT_SIGNATURE', u16, {
  rsassa: [0x0014, TPMS_SIGNATURE_RSA],
  rsapss: [0x0016, TPMS_SIGNATURE_RSA],
  ecdsa: [0x0018, TPMS_SIGNATURE_ECC],
  ecdaa: [0x001a, TPMS_SIGNATURE_ECC],
  sm2: [0x001b, TPMS_SIGNATURE_ECC],
  ecschnorr: [0x001c, TPMS_SIGNATURE_ECC],
  hmac: [0x0005, refused('TPMT_HA', 'an HMAC cannot be verified without its key')],
  null: [0x0010, refused('TPMS_EMPTY', 'the NULL scheme carries no signature')],
})

export type Signature = Decoded<typeof TPMT_SIGNATURE>
