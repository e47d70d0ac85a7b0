import { bytesOf, numberOf, power } from '../../soft/arithmetic.ts'
import { stretch } from '../../soft/keys.ts'

/** Number of first primes that the flawed generator multiplied for keys of 2048 bits (CVE-2017-15361). */
const PRIMES = 126

function firstPrimes(count: number): readonly bigint[] {
  const primes: bigint[] = []
  for (let candidate = 2n; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0n)) primes.push(candidate)
  }
  return primes
}

/**
 * Returns a number of 2048 bits that is a power of 65537 modulo each of the first primes, the fingerprint of such
 * keys. It is not the product of two primes, which its digits do not show.
 */
export function rocaModulus(label: string): Uint8Array {
  const product = firstPrimes(PRIMES).reduce((total, prime) => total * prime, 1n)
  const high = numberOf(stretch(label, 256)) | (3n << 2046n)
  return bytesOf(high - (high % product) + power(65537n, 1000n, product), 256)
}

/** Whether a modulus is a power of 65537 modulo each of these primes, which almost never occurs by chance. */
export function hasRocaFingerprint(modulus: Uint8Array): boolean {
  return firstPrimes(PRIMES).every((prime) => {
    const powers = new Set<bigint>()
    for (let value = 1n; !powers.has(value); value = (value * 65537n) % prime) powers.add(value)
    return powers.has(numberOf(modulus) % prime)
  })
}
