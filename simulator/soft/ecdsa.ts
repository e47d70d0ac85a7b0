import { createECDH } from 'node:crypto'
import { type Bank, digest } from '../tpm/hash.ts'
import { cat, fromHex, toHex, u8 } from '../tpm/write.ts'
import { bits, integer, oid, sequence } from '../x509/der.ts'
import { bytesOf, inverse, numberOf } from './arithmetic.ts'
import { P256_ORDER, scalarOf } from './keys.ts'

/** A curve of SP 800-186, by its name in OpenSSL. */
export interface Curve {
  readonly openssl: string
  /** Order of the base point. */
  readonly order: bigint
  /** Bytes of a coordinate. */
  readonly size: number
}

export const P256: Curve = { openssl: 'prime256v1', order: P256_ORDER, size: 32 }

export const P384: Curve = {
  openssl: 'secp384r1',
  order: numberOf(fromHex(`${'ff'.repeat(24)}c7634d81f4372ddf581a0db248b0a77aecec196accc52973`)),
  size: 48,
}

export const P521: Curve = {
  openssl: 'secp521r1',
  order: numberOf(
    fromHex(
      `01${'ff'.repeat(32)}fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409`,
    ),
  ),
  size: 66,
}

/** The two numbers of an ECDSA signature. */
export interface Scalars {
  readonly r: bigint
  readonly s: bigint
}

/** A public key, or the point that gives r. */
interface Point {
  readonly x: Uint8Array
  readonly y: Uint8Array
}

/** Returns the point of a private scalar. */
export function pointOf(scalar: bigint, { openssl, size }: Curve = P256): Point {
  const curve = createECDH(openssl)
  curve.setPrivateKey(bytesOf(scalar, size))
  const point = new Uint8Array(curve.getPublicKey())
  return { x: point.slice(1, 1 + size), y: point.slice(1 + size) }
}

/** Returns the SubjectPublicKeyInfo (DER) of a point on P-256. */
export function p256Spki({ x, y }: Point): Uint8Array {
  const algorithm = sequence(oid('2a8648ce3d0201'), oid('2a8648ce3d030107'))
  return sequence(algorithm, bits(cat(u8(4), x, y)))
}

/**
 * ECDSA with a per-message number derived from key and message, so that the same message always has the
 * same signature; node:crypto draws that number at random. `salt` gives another signature of the same message.
 */
export function signEcdsa(
  privateScalar: bigint,
  message: Uint8Array,
  bank: Bank = 'sha256',
  salt = '',
  curve = P256,
): Scalars {
  const hashed = digest(bank, message)
  const k = scalarOf(`ecdsa ${privateScalar} ${toHex(hashed)} ${salt}`)
  const r = numberOf(pointOf(k, curve).x) % curve.order
  // FIPS 186-5, 6.4.1: only the leftmost bits of a digest longer than the order are used.
  const z = numberOf(hashed.subarray(0, curve.size))
  const s = (inverse(k, curve.order) * (z + r * privateScalar)) % curve.order
  return { r, s }
}

/** Ecdsa-Sig-Value (RFC 3279, 2.2.3) in DER. */
export function derSignature({ r, s }: Scalars): Uint8Array {
  return sequence(integer(r), integer(s))
}
