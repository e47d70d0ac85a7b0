import { createPublicKey, type KeyObject } from 'node:crypto'
import { curveById } from './algorithms.ts'
import type { PublicArea } from './public.ts'
import { UnsupportedKey } from './unsupported-key.ts'

const DEFAULT_EXPONENT = 65537

/**
 * The public key inside a TPMT_PUBLIC.
 * OpenSSL checks on import that a point is on its curve.
 *
 * @throws {UnsupportedKey} for a curve without a row, a point off the curve, a modulus of another size than keyBits
 */
export function publicKeyOf(area: PublicArea): KeyObject {
  const { parameters, unique } = area
  if (parameters.kind === 'rsa' && unique.kind === 'rsa')
    return rsaKey(parameters.value.keyBits, parameters.value.exponent, unique.value)
  if (parameters.kind === 'ecc' && unique.kind === 'ecc')
    return eccKey(parameters.value.curveID, unique.value)
  throw new UnsupportedKey('the parameters and the unique field are of different key types')
}

function rsaKey(keyBits: number, exponent: number, modulus: Uint8Array): KeyObject {
  const first = modulus[0] ?? 0
  const last = modulus.at(-1) ?? 0
  if (keyBits < 1024 || modulus.length * 8 !== keyBits || first < 0x80)
    throw new UnsupportedKey(`the modulus has not the ${keyBits} bits that keyBits announces`)
  if (last % 2 === 0) throw new UnsupportedKey('the modulus is even')
  const e = exponent === 0 ? DEFAULT_EXPONENT : exponent
  if (e < 3 || e % 2 === 0) throw new UnsupportedKey(`${e} is not an RSA exponent`)
  return createPublicKey({
    format: 'jwk',
    key: { kty: 'RSA', n: base64url(modulus), e: base64url(bigEndian(e)) },
  })
}

function eccKey(curveID: number, point: { readonly x: Uint8Array; readonly y: Uint8Array }) {
  const curve = curveById(curveID)
  if (!curve) throw new UnsupportedKey(`curve 0x${curveID.toString(16)} is not supported`)
  const x = leftPad(point.x, curve.size)
  const y = leftPad(point.y, curve.size)
  if (!x || !y) throw new UnsupportedKey(`a coordinate is longer than ${curve.size} bytes`)
  try {
    return createPublicKey({
      format: 'jwk',
      key: { kty: 'EC', crv: curve.jwk, x: base64url(x), y: base64url(y) },
    })
  } catch (cause) {
    throw new UnsupportedKey(`the point is not on curve ${curve.name}`, { cause })
  }
}

/** A number in exactly `size` bytes, or undefined when it needs more. TPMs may leave out leading zeros. */
export function leftPad(number: Uint8Array, size: number): Uint8Array | undefined {
  if (number.length > size) return undefined
  const padded = new Uint8Array(size)
  padded.set(number, size - number.length)
  return padded
}

function bigEndian(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255)
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
}
