import { checkPrimeSync, createPrivateKey, type KeyObject } from 'node:crypto'
import { digest } from '../tpm/hash.ts'
import { cat, text, u32 } from '../tpm/write.ts'
import { bytesOf, inverse, numberOf } from './arithmetic.ts'

/** Order of the base point of P-256 (SP 800-186, 3.2.1.3). */
export const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const EXPONENT = 65537n

/** Returns `size` bytes derived from a label. */
export function stretch(label: string, size: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, index) =>
    digest('sha256', cat(u32(index), text(label))),
  )
  return cat(...blocks).subarray(0, size)
}

/** Returns a number from 1 to the order of P-256, derived from a label. */
export function scalarOf(label: string): bigint {
  return (numberOf(stretch(label, 48)) % (P256_ORDER - 1n)) + 1n
}

/** Odd primes below 4,000: nine of ten candidates have one of them as a factor. */
const SMALL_PRIMES = Array.from({ length: 2000 }, (_, at) => 2 * at + 3).filter((candidate) => {
  for (let factor = 3; factor * factor <= candidate; factor += 2)
    if (candidate % factor === 0) return false
  return true
})

/** Returns the first prime of 1024 bits at or after a number derived from the label that suits the usual exponent. */
function primeOf(label: string): bigint {
  const start = numberOf(stretch(label, 128)) | (3n << 1022n) | 1n
  const remainders = SMALL_PRIMES.map((prime) => Number(start % BigInt(prime)))
  for (let offset = 0; ; offset += 2) {
    if (SMALL_PRIMES.some((prime, at) => ((remainders[at] ?? 0) + offset) % prime === 0)) continue
    const candidate = start + BigInt(offset)
    if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate
  }
}

const rsaKeys = new Map<string, KeyObject>()

/** Returns an RSA key of 2048 bits derived from a label: a test key, not a secret. Its primes are searched once. */
export function rsaKeyOf(label: string): KeyObject {
  const key = rsaKeys.get(label) ?? findRsaKey(label)
  rsaKeys.set(label, key)
  return key
}

function findRsaKey(label: string): KeyObject {
  const [p, q] = [primeOf(`${label} p`), primeOf(`${label} q`)]
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const wide = (value: bigint) => base64url(bytesOf(value, 256))
  const half = (value: bigint) => base64url(bytesOf(value, 128))
  const factors = { p: half(p), q: half(q), dp: half(d % (p - 1n)), dq: half(d % (q - 1n)) }
  const n = p * q
  return createPrivateKey({
    format: 'jwk',
    key: { kty: 'RSA', n: wide(n), e: 'AQAB', d: wide(d), ...factors, qi: half(inverse(q, p)) },
  })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
