import { createECDH } from 'node:crypto'
import { bytesOf, inverse, numberOf } from '../soft/arithmetic.ts'
import type { Scalars } from '../soft/ecdsa.ts'
import { stretch } from '../soft/keys.ts'
import { digest } from '../tpm/hash.ts'
import { cat, toHex, u8 } from '../tpm/write.ts'
import { bits, oid, sequence } from '../x509/der.ts'

/** Order of the base point of P-384 (SP 800-186, 3.2.1.4). */
const ORDER =
  0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n
const SIZE = 48
const ALGORITHM = sequence(oid('2a8648ce3d0201'), oid('2b81040022'))

/** A key on P-384 that follows from a label: a test key, not a secret. */
export interface P384Key {
  readonly x: Uint8Array
  readonly y: Uint8Array
  /** SubjectPublicKeyInfo (DER). */
  readonly spki: Uint8Array
  /** ECDSA with SHA-384; the same message always has the same signature. */
  sign(message: Uint8Array): Scalars
}

export function p384KeyOf(label: string): P384Key {
  const scalar = scalarOf(label)
  const { x, y } = pointOf(scalar)
  return {
    ...{ x, y, spki: sequence(ALGORITHM, bits(cat(u8(4), x, y))) },
    sign(message) {
      const hashed = digest('sha384', message)
      const k = scalarOf(`ecdsa ${label} ${toHex(hashed)}`)
      const r = numberOf(pointOf(k).x) % ORDER
      const s = (inverse(k, ORDER) * (numberOf(hashed) + r * scalar)) % ORDER
      return { r, s }
    },
  }
}

function scalarOf(label: string): bigint {
  return (numberOf(stretch(label, SIZE + 16)) % (ORDER - 1n)) + 1n
}

function pointOf(scalar: bigint): { readonly x: Uint8Array; readonly y: Uint8Array } {
  const curve = createECDH('secp384r1')
  curve.setPrivateKey(bytesOf(scalar, SIZE))
  const point = new Uint8Array(curve.getPublicKey())
  return { x: point.slice(1, 1 + SIZE), y: point.slice(1 + SIZE) }
}
