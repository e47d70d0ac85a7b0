import { rowOf, table } from '../bytes/table.ts'

/** A hash algorithm (TPM_ALG_ID registry, TCG algorithm registry table 3). */
export interface HashAlgorithm {
  readonly name: string
  readonly id: number
  /** bytes of a digest */
  readonly size: number
  /** name for `createHash`; undefined when this implementation only knows the size */
  readonly digest: string | undefined
}

export const TPM_ALG_NULL = 0x0010

const hashRows = {
  sha1: { name: 'sha1', id: 0x0004, size: 20, digest: 'sha1' },
  sha256: { name: 'sha256', id: 0x000b, size: 32, digest: 'sha256' },
  sha384: { name: 'sha384', id: 0x000c, size: 48, digest: 'sha384' },
  sha512: { name: 'sha512', id: 0x000d, size: 64, digest: 'sha512' },
  sm3_256: { name: 'sm3_256', id: 0x0012, size: 32, digest: undefined },
  sha3_256: { name: 'sha3_256', id: 0x0027, size: 32, digest: 'sha3-256' },
  sha3_384: { name: 'sha3_384', id: 0x0028, size: 48, digest: 'sha3-384' },
  sha3_512: { name: 'sha3_512', id: 0x0029, size: 64, digest: 'sha3-512' },
} as const satisfies Readonly<Record<string, HashAlgorithm>>

/** Hash algorithms by the name used on the wire. SM3 is known by size, so that logs with it can be read, but not computed. */
export const hashes: Readonly<Record<keyof typeof hashRows, HashAlgorithm>> = table(hashRows)

const hashesById = new Map(Object.values(hashes).map((each) => [each.id, each]))

/** Row of a hash by its TPM_ALG_ID. */
export function hashById(id: number): HashAlgorithm | undefined {
  return hashesById.get(id)
}

/** A signature scheme (TPMI_ALG_SIG_SCHEME, Part 2 table 158). */
export interface SignatureScheme {
  readonly name: string
  readonly id: number
  readonly keyType: 'rsa' | 'ecc'
  /** whether this implementation can verify it */
  readonly supported: boolean
}

/** Signature schemes by the name used on the wire. */
export const signatureSchemes = table<string, SignatureScheme>({
  rsassa: { name: 'rsassa', id: 0x0014, keyType: 'rsa', supported: true },
  rsapss: { name: 'rsapss', id: 0x0016, keyType: 'rsa', supported: true },
  ecdsa: { name: 'ecdsa', id: 0x0018, keyType: 'ecc', supported: true },
  ecdaa: { name: 'ecdaa', id: 0x001a, keyType: 'ecc', supported: false },
  sm2: { name: 'sm2', id: 0x001b, keyType: 'ecc', supported: false },
  ecschnorr: { name: 'ecschnorr', id: 0x001c, keyType: 'ecc', supported: false },
})

/** A named curve (TPM_ECC_CURVE, Part 2 table 10). */
export interface Curve {
  readonly name: string
  readonly id: number
  /** bytes of a coordinate */
  readonly size: number
  /** name in a JSON Web Key */
  readonly jwk: string
  /** name for `createECDH` */
  readonly openssl: string
  /** order of the base point (SP 800-186) */
  readonly order: bigint
}

/** Curves an attestation key may be on; others are refused by their id. */
export const curves = table<string, Curve>({
  nist_p256: {
    name: 'nist_p256',
    id: 0x0003,
    size: 32,
    jwk: 'P-256',
    openssl: 'prime256v1',
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  nist_p384: {
    name: 'nist_p384',
    id: 0x0004,
    size: 48,
    jwk: 'P-384',
    openssl: 'secp384r1',
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  nist_p521: {
    name: 'nist_p521',
    id: 0x0005,
    size: 66,
    jwk: 'P-521',
    openssl: 'secp521r1',
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
})

const curvesById = new Map(Object.values(curves).map((each) => [each.id, each]))

/** Row of a curve by its TPM_ECC_CURVE. */
export function curveById(id: number): Curve | undefined {
  return curvesById.get(id)
}

/** Row of a hash by the name used on the wire. */
export function hashByName(name: string): HashAlgorithm | undefined {
  return rowOf(hashes, name)
}

/** Row of a signature scheme by the name used on the wire. */
export function schemeByName(name: string): SignatureScheme | undefined {
  return rowOf(signatureSchemes, name)
}
