import { createPublicKey, type KeyObject } from 'node:crypto'
import { TPM_ALG, TPM_ECC } from './constants.ts'
import { Cursor } from './cursor.ts'
import { bankOf, digest } from './hash.ts'
import { cat, tpm2b, u16, u32 } from './write.ts'

/** A scheme with its hash (TPMT_RSA_SCHEME, TPMT_ECC_SCHEME, TPMT_KDF_SCHEME); TPM_ALG_NULL has none. */
export interface Scheme {
  readonly alg: number
  readonly hash?: number
}

/** TPMT_SYM_DEF_OBJECT (Part 2, 11.1.7). */
interface SymmetricDefinition {
  readonly alg: number
  readonly keyBits?: number
  readonly mode?: number
}

interface CommonPublic {
  readonly nameAlg: number
  /** TPMA_OBJECT bits. */
  readonly objectAttributes: number
  readonly authPolicy: Uint8Array
  readonly symmetric: SymmetricDefinition
  readonly scheme: Scheme
}

/** TPMT_PUBLIC of an RSA key; exponent 0 on the wire means 65537. */
export interface RsaPublic extends CommonPublic {
  readonly type: 'rsa'
  readonly keyBits: number
  readonly exponent: number
  /** The modulus, or its placeholder in a template. */
  readonly unique: Uint8Array
}

/** TPMT_PUBLIC of an elliptic curve key. */
export interface EccPublic extends CommonPublic {
  readonly type: 'ecc'
  readonly curve: number
  readonly kdf: Scheme
  readonly x: Uint8Array
  readonly y: Uint8Array
}

/** TPMT_PUBLIC (Part 2, 12.2.4) of the two asymmetric key types. */
export type TPMT_PUBLIC = RsaPublic | EccPublic

const CURVES: Readonly<Record<number, { readonly jwk: string; readonly size: number }>> = {
  [TPM_ECC.NIST_P256]: { jwk: 'P-256', size: 32 },
  [TPM_ECC.NIST_P384]: { jwk: 'P-384', size: 48 },
  [TPM_ECC.NIST_P521]: { jwk: 'P-521', size: 66 },
}

function present(...fields: readonly (number | undefined)[]): Uint8Array {
  return cat(...fields.filter((field) => field !== undefined).map(u16))
}

function writeScheme(scheme: Scheme): Uint8Array {
  return present(scheme.alg, scheme.hash)
}

function readScheme(cursor: Cursor): Scheme {
  const alg = cursor.u16()
  if (alg === TPM_ALG.NULL || alg === TPM_ALG.RSAES) return { alg }
  const hash = cursor.u16()
  if (alg === TPM_ALG.ECDAA) cursor.u16()
  return { alg, hash }
}

function writeSymmetric({ alg, keyBits, mode }: SymmetricDefinition): Uint8Array {
  return present(alg, keyBits, mode)
}

function readSymmetric(cursor: Cursor): SymmetricDefinition {
  const alg = cursor.u16()
  return alg === TPM_ALG.NULL ? { alg } : { alg, keyBits: cursor.u16(), mode: cursor.u16() }
}

/** Returns a TPMT_PUBLIC as the TPM marshals it; also the template of a new key. */
export function writePublic(key: TPMT_PUBLIC): Uint8Array {
  const common = cat(
    u16(key.type === 'rsa' ? TPM_ALG.RSA : TPM_ALG.ECC),
    u16(key.nameAlg),
    u32(key.objectAttributes),
    tpm2b(key.authPolicy),
    writeSymmetric(key.symmetric),
    writeScheme(key.scheme),
  )
  return key.type === 'rsa'
    ? cat(common, u16(key.keyBits), u32(key.exponent), tpm2b(key.unique))
    : cat(common, u16(key.curve), writeScheme(key.kdf), tpm2b(key.x), tpm2b(key.y))
}

/** Reads a TPMT_PUBLIC. Throws RangeError for an object that is neither RSA nor ECC, ShortRead if truncated. */
export function readPublic(cursor: Cursor): TPMT_PUBLIC {
  const type = cursor.u16()
  if (type !== TPM_ALG.RSA && type !== TPM_ALG.ECC) {
    throw new RangeError(`TPMT_PUBLIC.type: 0x${type.toString(16)} is neither RSA nor ECC`)
  }
  const common = {
    nameAlg: cursor.u16(),
    objectAttributes: cursor.u32(),
    authPolicy: cursor.tpm2b(),
    symmetric: readSymmetric(cursor),
    scheme: readScheme(cursor),
  }
  if (type === TPM_ALG.RSA) {
    const sizes = { keyBits: cursor.u16(), exponent: cursor.u32() }
    return { type: 'rsa', ...common, ...sizes, unique: cursor.tpm2b() }
  }
  const parameters = { curve: cursor.u16(), kdf: readScheme(cursor) }
  return { type: 'ecc', ...common, ...parameters, x: cursor.tpm2b(), y: cursor.tpm2b() }
}

/** Parses the key in TPM2B_PUBLIC bytes. */
export function parseTpm2bPublic(bytes: Uint8Array): TPMT_PUBLIC {
  return readPublic(new Cursor(new Cursor(bytes, 'TPM2B_PUBLIC').tpm2b(), 'TPMT_PUBLIC'))
}

/**
 * Returns the Name (Part 1, clause 16) of the object in TPM2B_PUBLIC bytes: nameAlg and the digest of the received
 * bytes. Throws RangeError if the nameAlg is not a known hash.
 */
export function nameOf(tpm2bPublic: Uint8Array): Uint8Array {
  const area = new Cursor(tpm2bPublic, 'TPM2B_PUBLIC').tpm2b()
  const nameAlg = new Cursor(area, 'TPMT_PUBLIC', 2).u16()
  const bank = bankOf(nameAlg)
  if (bank === undefined)
    throw new RangeError(`nameAlg 0x${nameAlg.toString(16)} is not a known hash`)
  return cat(u16(nameAlg), digest(bank, area))
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

/** Left-pads a coordinate to the length of its field, for TPMs that drop leading zeros. */
function padded(bytes: Uint8Array, size: number): Uint8Array {
  return bytes.length >= size ? bytes : cat(new Uint8Array(size - bytes.length), bytes)
}

function rsaKeyObject(key: RsaPublic): KeyObject {
  const e = u32(key.exponent || 65537)
  const jwk = {
    kty: 'RSA',
    n: base64url(key.unique),
    e: base64url(e.subarray(e.findIndex(Boolean))),
  }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

function eccKeyObject(key: EccPublic): KeyObject {
  const curve = CURVES[key.curve]
  if (curve === undefined) throw new RangeError(`TPM_ECC_CURVE 0x${key.curve.toString(16)} unknown`)
  const [x, y] = [key.x, key.y].map((part) => base64url(padded(part, curve.size)))
  return createPublicKey({
    key: { kty: 'EC', crv: curve.jwk, x: x ?? '', y: y ?? '' },
    format: 'jwk',
  })
}

/** Returns the key for node:crypto; export it as `spki` for DER or PEM. */
export function keyObjectOf(key: TPMT_PUBLIC): KeyObject {
  return key.type === 'rsa' ? rsaKeyObject(key) : eccKeyObject(key)
}

/** Returns SubjectPublicKeyInfo in PEM, as `tpm2_readpublic -f pem` writes it. */
export function pemOf(key: TPMT_PUBLIC): string {
  return String(keyObjectOf(key).export({ type: 'spki', format: 'pem' }))
}

/** Returns SubjectPublicKeyInfo in DER. */
export function spkiOf(key: TPMT_PUBLIC): Uint8Array {
  return new Uint8Array(keyObjectOf(key).export({ type: 'spki', format: 'der' }))
}
