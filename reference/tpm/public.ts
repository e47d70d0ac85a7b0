import {
  type Codec,
  type Decoded,
  nothing,
  sized,
  struct,
  tagged,
  tpm2b,
  u16,
  u32,
  unionBy,
} from './codec.ts'
import { MAX_ECC_KEY_BYTES, MAX_RSA_KEY_BYTES } from './signature.ts'
import { TPM2B_DIGEST } from './structures-common.ts'

/** TPMA_OBJECT bits (Part 2, 8.3.2) */
export const TPMA_OBJECT = {
  fixedTPM: 1 << 1,
  stClear: 1 << 2,
  fixedParent: 1 << 4,
  sensitiveDataOrigin: 1 << 5,
  userWithAuth: 1 << 6,
  adminWithPolicy: 1 << 7,
  noDA: 1 << 10,
  encryptedDuplication: 1 << 11,
  restricted: 1 << 16,
  decrypt: 1 << 17,
  sign: 1 << 18,
} as const

const cipher = struct('TPMU_SYM', { keyBits: u16, mode: u16 })

/** TPMT_SYM_DEF_OBJECT (Part 2, 11.1.7) */
const TPMT_SYM_DEF_OBJECT = tagged('TPMT_SYM_DEF_OBJECT', u16, {
  aes: [0x0006, cipher],
  sm4: [0x0013, cipher],
  camellia: [0x0026, cipher],
  null: [0x0010, nothing],
})

const withHash = struct('TPMS_SCHEME_HASH', { hashAlg: u16 })
const withHashAndCount = struct('TPMS_SCHEME_ECDAA', { hashAlg: u16, count: u16 })

/** TPMT_RSA_SCHEME (Part 2, 11.2.4.2) */
const TPMT_RSA_SCHEME = tagged('TPMT_RSA_SCHEME', u16, {
  rsassa: [0x0014, withHash],
  rsaes: [0x0015, nothing],
  rsapss: [0x0016, withHash],
  oaep: [0x0017, withHash],
  null: [0x0010, nothing],
})

/** TPMT_ECC_SCHEME (Part 2, 11.2.5.6) */
const TPMT_ECC_SCHEME = tagged('TPMT_ECC_SCHEME', u16, {
  ecdsa: [0x0018, withHash],
  ecdh: [0x0019, withHash],
  ecdaa: [0x001a, withHashAndCount],
  sm2: [0x001b, withHash],
  ecschnorr: [0x001c, withHash],
  ecmqv: [0x001d, withHash],
  null: [0x0010, nothing],
})

/** TPMT_KDF_SCHEME (Part 2, 11.2.3.3) */
const TPMT_KDF_SCHEME = tagged('TPMT_KDF_SCHEME', u16, {
  mgf1: [0x0007, withHash],
  kdf1_sp800_56a: [0x0020, withHash],
  kdf2: [0x0021, withHash],
  kdf1_sp800_108: [0x0022, withHash],
  null: [0x0010, nothing],
})

/** TPMS_RSA_PARMS (Part 2, 12.2.3.5) */
const TPMS_RSA_PARMS = struct('TPMS_RSA_PARMS', {
  symmetric: TPMT_SYM_DEF_OBJECT,
  scheme: TPMT_RSA_SCHEME,
  keyBits: u16,
  exponent: u32,
})

/** TPMS_ECC_PARMS (Part 2, 12.2.3.6) */
const TPMS_ECC_PARMS = struct('TPMS_ECC_PARMS', {
  symmetric: TPMT_SYM_DEF_OBJECT,
  scheme: TPMT_ECC_SCHEME,
  curveID: u16,
  kdf: TPMT_KDF_SCHEME,
})

const coordinate = tpm2b('TPM2B_ECC_PARAMETER', MAX_ECC_KEY_BYTES)

/** TPMS_ECC_POINT (Part 2, 11.2.5.2) */
export const TPMS_ECC_POINT = struct('TPMS_ECC_POINT', { x: coordinate, y: coordinate })

const RSA = 0x0001
const ECC = 0x0023

/**
 * TPMT_PUBLIC (Part 2, 12.2.4) of an asymmetric key.
 * `parameters.kind` and `unique.kind` are always the same, both being selected by `type`.
 */
export const TPMT_PUBLIC = struct('TPMT_PUBLIC', {
  type: oneOf(u16, { [RSA]: 'RSA', [ECC]: 'ECC' }),
  nameAlg: u16,
  objectAttributes: u32,
  authPolicy: TPM2B_DIGEST,
  parameters: unionBy('TPMU_PUBLIC_PARMS', 'type', {
    rsa: [RSA, TPMS_RSA_PARMS],
    ecc: [ECC, TPMS_ECC_PARMS],
  }),
  unique: unionBy('TPMU_PUBLIC_ID', 'type', {
    rsa: [RSA, tpm2b('TPM2B_PUBLIC_KEY_RSA', MAX_RSA_KEY_BYTES)],
    ecc: [ECC, TPMS_ECC_POINT],
  }),
})

/** TPM2B_PUBLIC (Part 2, 12.2.5) */
export const TPM2B_PUBLIC = sized('TPM2B_PUBLIC', TPMT_PUBLIC, 1024)

export type PublicArea = Decoded<typeof TPMT_PUBLIC>

/** Refuses an unknown number at its own offset, rather than at the union that it selects. */
function oneOf(codec: Codec<number>, known: Readonly<Record<number, string>>): Codec<number> {
  return {
    name: codec.name,
    read(reader, outer) {
      const at = reader.offset
      const value = codec.read(reader, outer)
      if (!Object.hasOwn(known, value))
        throw reader.error(
          `expected one of ${Object.values(known).join(', ')}, got 0x${value.toString(16).padStart(4, '0')}`,
          at,
        )
      return value
    },
    write: (writer, value) => codec.write(writer, value),
  }
}
