import { constants, type KeyObject, verify } from 'node:crypto'
import { TPM_ALG } from './constants.ts'
import { Cursor, type OnRead } from './cursor.ts'
import { bankOf } from './hash.ts'
import { cat, tpm2b, u16 } from './write.ts'

/** TPMT_SIGNATURE (Part 2, 11.3.4); unsupported algorithms keep their bytes. */
export type TPMT_SIGNATURE =
  | {
      readonly kind: 'rsa'
      /** TPM_ALG.RSASSA or TPM_ALG.RSAPSS. */
      readonly sigAlg: number
      readonly hash: number
      readonly sig: Uint8Array
      readonly leftover: Uint8Array
    }
  | {
      readonly kind: 'ecc'
      readonly sigAlg: number
      readonly hash: number
      readonly r: Uint8Array
      readonly s: Uint8Array
      readonly leftover: Uint8Array
    }
  | { readonly kind: 'opaque'; readonly sigAlg: number; readonly bytes: Uint8Array }

const RSA_SCHEMES: readonly number[] = [TPM_ALG.RSASSA, TPM_ALG.RSAPSS]
const ECC_SCHEMES: readonly number[] = [
  TPM_ALG.ECDSA,
  TPM_ALG.ECDAA,
  TPM_ALG.SM2,
  TPM_ALG.ECSCHNORR,
]

/**
 * Parses a TPMT_SIGNATURE without validation, and reports the position of each field to `onRead`. Throws ShortRead
 * if truncated.
 */
export function parseSignature(bytes: Uint8Array, onRead?: OnRead): TPMT_SIGNATURE {
  const cursor = new Cursor(bytes, 'TPMT_SIGNATURE', 0, onRead)
  const sigAlg = cursor.named('sigAlg').u16()
  if (RSA_SCHEMES.includes(sigAlg)) {
    const fields = { hash: cursor.named('hash').u16(), sig: cursor.named('sig').tpm2b() }
    return { kind: 'rsa', sigAlg, ...fields, leftover: cursor.named('leftover').rest() }
  }
  if (ECC_SCHEMES.includes(sigAlg)) {
    const hash = cursor.named('hash').u16()
    const r = cursor.named('signatureR').tpm2b()
    const s = cursor.named('signatureS').tpm2b()
    return { kind: 'ecc', sigAlg, hash, r, s, leftover: cursor.named('leftover').rest() }
  }
  return { kind: 'opaque', sigAlg, bytes: cursor.named('bytes').rest() }
}

/** Returns TPMT_SIGNATURE bytes from any fields, valid or not. */
export function writeSignature(signature: TPMT_SIGNATURE): Uint8Array {
  const { sigAlg } = signature
  switch (signature.kind) {
    case 'rsa':
      return cat(u16(sigAlg), u16(signature.hash), tpm2b(signature.sig), signature.leftover)
    case 'ecc': {
      const point = cat(tpm2b(signature.r), tpm2b(signature.s))
      return cat(u16(sigAlg), u16(signature.hash), point, signature.leftover)
    }
    case 'opaque':
      return cat(u16(sigAlg), signature.bytes)
  }
}

/** Returns r and s at the full length of the curve, concatenated as in IEEE P1363; undefined if one is longer. */
function p1363(r: Uint8Array, s: Uint8Array, size: number): Uint8Array | undefined {
  if (r.length > size || s.length > size) return undefined
  const joined = new Uint8Array(2 * size)
  joined.set(r, size - r.length)
  joined.set(s, 2 * size - s.length)
  return joined
}

const FIELD_SIZE: Readonly<Record<string, number>> = {
  prime256v1: 32,
  secp384r1: 48,
  secp521r1: 66,
}

/**
 * Whether `key` signed `message` with `signature`: RSASSA, RSAPSS (salt length detected by OpenSSL) or ECDSA.
 * Returns false for every other algorithm, an unknown hash or a key of another type.
 */
export function verifySignature(
  message: Uint8Array,
  signature: TPMT_SIGNATURE,
  key: KeyObject,
): boolean {
  if (signature.kind === 'opaque') return false
  const hash = bankOf(signature.hash)
  if (hash === undefined || key.asymmetricKeyType !== (signature.kind === 'rsa' ? 'rsa' : 'ec')) {
    return false
  }
  if (signature.kind === 'rsa') {
    const padding =
      signature.sigAlg === TPM_ALG.RSASSA
        ? constants.RSA_PKCS1_PADDING
        : constants.RSA_PKCS1_PSS_PADDING
    return verify(hash, message, { key, padding }, signature.sig)
  }
  const size = FIELD_SIZE[key.asymmetricKeyDetails?.namedCurve ?? '']
  const joined = size === undefined ? undefined : p1363(signature.r, signature.s, size)
  if (joined === undefined || signature.sigAlg !== TPM_ALG.ECDSA) return false
  return verify(hash, message, { key, dsaEncoding: 'ieee-p1363' }, joined)
}
