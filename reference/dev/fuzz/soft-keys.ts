import {
  checkPrimeSync,
  constants,
  createECDH,
  createHash,
  createPrivateKey,
  sign as signBytes,
} from 'node:crypto'
import { toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'

/**
 * Signing keys outside any TPM that are the same in every session, as are their signatures, so that a run can be
 * repeated byte for byte. For that they give their secret away: whoever needs a secret must not come here.
 */
export interface SoftKey {
  readonly tpm2bPublic: Uint8Array
  readonly scheme: string
  readonly hash: string
  /** TPMT_SIGNATURE over these bytes */
  sign(message: Uint8Array): Uint8Array
  /** a TPMT_SIGNATURE of the same form that is good for nothing, for a look that costs no signing */
  readonly blank: Uint8Array
}

function u16(...numbers: readonly number[]): Uint8Array {
  return Uint8Array.from(numbers.flatMap((number) => [number >> 8, number & 255]))
}

function sizedBytes(bytes: Uint8Array): Uint8Array {
  return concat(u16(bytes.length), bytes)
}

const HASHES: Readonly<Record<string, number>> = { sha1: 4, sha256: 11, sha384: 12, sha512: 13 }
const ATTRIBUTES = Uint8Array.of(0, 5, 0, 0x72)
const NULL_ALG = 0x0010

/** TPMT_PUBLIC up to its parameters: type, name algorithm, attributes, no policy, no symmetric cipher. */
function head(type: number): Uint8Array {
  return concat(u16(type, 11), ATTRIBUTES, u16(0, NULL_ALG))
}

function hashOf(hash: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const made = createHash(hash)
  for (const part of parts) made.update(part)
  return made.digest()
}

/** A number that depends on nothing but its name. */
function numberFrom(name: string, bytes: number): bigint {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, index) =>
    hashOf('sha512', Buffer.from(`${name} ${index}`)),
  )
  return BigInt(`0x${toHex(concat(...blocks).subarray(0, bytes))}`)
}

function bigBytes(number: bigint, length: number): Uint8Array {
  return new Uint8Array(Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex'))
}

interface CurveRow {
  readonly id: number
  readonly openssl: string
  readonly size: number
  readonly order: bigint
}

/** Curve -> TPM_ECC_CURVE, name in OpenSSL, bytes of a coordinate, order of the base point (SP 800-186). */
const CURVES: Readonly<Record<'p256' | 'p384', CurveRow>> = {
  p256: {
    id: 3,
    openssl: 'prime256v1',
    size: 32,
    order: BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'),
  },
  p384: {
    id: 4,
    openssl: 'secp384r1',
    size: 48,
    order: BigInt(
      '0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
    ),
  },
}

function pointOf(curve: CurveRow, scalar: bigint): readonly [x: Uint8Array, y: Uint8Array] {
  const made = createECDH(curve.openssl)
  made.setPrivateKey(bigBytes(scalar, curve.size))
  const point = new Uint8Array(made.getPublicKey())
  return [point.subarray(1, 1 + curve.size), point.subarray(1 + curve.size)]
}

/** An ECDSA key; its signatures take the base point for their random one, which makes them quick and repeatable. */
export function makeEcKey(name: string, curveName: keyof typeof CURVES, hash: string): SoftKey {
  const curve = CURVES[curveName]
  const secret = numberFrom(name, curve.size) % curve.order
  const [x, y] = pointOf(curve, secret)
  const [r] = pointOf(curve, 1n)
  const scheme = u16(0x18, HASHES[hash] ?? 0)
  const rNumber = BigInt(`0x${toHex(r)}`) % curve.order
  const form = (s: bigint) =>
    concat(scheme, sizedBytes(bigBytes(rNumber, curve.size)), sizedBytes(bigBytes(s, curve.size)))
  return {
    tpm2bPublic: sizedBytes(
      concat(head(0x23), scheme, u16(curve.id, NULL_ALG), sizedBytes(x), sizedBytes(y)),
    ),
    scheme: 'ecdsa',
    hash,
    blank: form(1n),
    sign: (message) => {
      const digest = hashOf(hash, message).subarray(0, curve.size)
      return form((BigInt(`0x${toHex(digest)}`) + rNumber * secret) % curve.order)
    },
  }
}

const RSA_BYTES = 128
const EXPONENT = 65537n

function primeFrom(name: string): bigint {
  const top = 3n << BigInt(RSA_BYTES * 4 - 2)
  for (let candidate = numberFrom(name, RSA_BYTES / 2) | top | 1n; ; candidate += 2n)
    if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate
}

function inverse(number: bigint, modulus: bigint): bigint {
  let [left, right, a, b] = [number % modulus, modulus, 1n, 0n]
  while (right > 0n) [left, right, a, b] = [right, left % right, b, a - (left / right) * b]
  return ((a % modulus) + modulus) % modulus
}

function privateKeyOf(p: bigint, q: bigint) {
  const text = (number: bigint, length = RSA_BYTES / 2) =>
    Buffer.from(bigBytes(number, length)).toString('base64url')
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const key = {
    kty: 'RSA',
    n: text(p * q, RSA_BYTES),
    e: text(EXPONENT, 3),
    d: text(d, RSA_BYTES),
    p: text(p),
    q: text(q),
    dp: text(d % (p - 1n)),
    dq: text(d % (q - 1n)),
    qi: text(inverse(q, p)),
  }
  return createPrivateKey({ format: 'jwk', key })
}

/** An RSA key of 1024 bits, which is small for a key and quick for a fuzzer; PSS signatures have no salt. */
export function makeRsaKey(name: string, scheme: 'rsassa' | 'rsapss', hash: string): SoftKey {
  const [p, q] = [primeFrom(`${name} p`), primeFrom(`${name} q`)]
  const key = privateKeyOf(p, q)
  const header = u16(scheme === 'rsassa' ? 0x14 : 0x16, HASHES[hash] ?? 0)
  const padding =
    scheme === 'rsassa'
      ? { padding: constants.RSA_PKCS1_PADDING }
      : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 0 }
  const area = concat(
    head(1),
    header,
    u16(RSA_BYTES * 8, 0, 0),
    sizedBytes(bigBytes(p * q, RSA_BYTES)),
  )
  return {
    tpm2bPublic: sizedBytes(area),
    scheme,
    hash,
    blank: concat(header, sizedBytes(new Uint8Array(RSA_BYTES))),
    sign: (message) => concat(header, sizedBytes(signBytes(hash, message, { key, ...padding }))),
  }
}
