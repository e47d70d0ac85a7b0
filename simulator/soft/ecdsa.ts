import { createECDH } from 'node:crypto'
import { type Bank, digest } from '../tpm/hash.ts'
import { toHex } from '../tpm/write.ts'
import { bytesOf, inverse, numberOf } from './arithmetic.ts'
import { P256_ORDER, scalarOf } from './keys.ts'

/** The two numbers of an ECDSA signature. */
export interface Scalars {
  readonly r: bigint
  readonly s: bigint
}

/** Returns the point of a private scalar on P-256: the public key, or the point that gives r. */
export function pointOf(scalar: bigint): { readonly x: Uint8Array; readonly y: Uint8Array } {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(bytesOf(scalar, 32))
  const point = new Uint8Array(curve.getPublicKey())
  return { x: point.slice(1, 33), y: point.slice(33) }
}

/**
 * ECDSA on P-256 with a per-message number derived from key and message, so that the same message always has the
 * same signature; node:crypto draws that number at random. `salt` gives another signature of the same message.
 */
export function signEcdsa(
  privateScalar: bigint,
  message: Uint8Array,
  bank: Bank = 'sha256',
  salt = '',
): Scalars {
  const hashed = digest(bank, message)
  const k = scalarOf(`ecdsa ${privateScalar} ${toHex(hashed)} ${salt}`)
  const r = numberOf(pointOf(k).x) % P256_ORDER
  // FIPS 186-5, 6.4.1: only the leftmost bits of a digest longer than the order are used.
  const z = numberOf(hashed.subarray(0, 32))
  const s = (inverse(k, P256_ORDER) * (z + r * privateScalar)) % P256_ORDER
  return { r, s }
}
