import { inverse, numberOf } from '../soft/arithmetic.ts'
import { P384, pointOf, type Scalars } from '../soft/ecdsa.ts'
import { stretch } from '../soft/keys.ts'
import { digest } from '../tpm/hash.ts'
import { cat, toHex, u8 } from '../tpm/write.ts'
import { bits, oid, sequence } from '../x509/der.ts'

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
  const { x, y } = pointOf(scalar, P384)
  return {
    ...{ x, y, spki: sequence(ALGORITHM, bits(cat(u8(4), x, y))) },
    sign(message) {
      const hashed = digest('sha384', message)
      const k = scalarOf(`ecdsa ${label} ${toHex(hashed)}`)
      const r = numberOf(pointOf(k, P384).x) % P384.order
      const s = (inverse(k, P384.order) * (numberOf(hashed) + r * scalar)) % P384.order
      return { r, s }
    },
  }
}

function scalarOf(label: string): bigint {
  return (numberOf(stretch(label, P384.size + 16)) % (P384.order - 1n)) + 1n
}
