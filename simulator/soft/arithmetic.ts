/** Integers of any length, for deterministic keys outside a TPM. */

/** Returns base^exponent mod modulus. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** Returns the inverse of `value` modulo `modulus`; the two must be coprime. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [older, newer] = [modulus, value % modulus]
  let [before, now] = [0n, 1n]
  while (newer !== 0n) {
    const quotient = older / newer
    ;[older, newer] = [newer, older - quotient * newer]
    ;[before, now] = [now, before - quotient * now]
  }
  return ((before % modulus) + modulus) % modulus
}

/** Returns the big-endian number of some bytes. */
export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
}

/** Returns the last `size` bytes of a number, big-endian. */
export function bytesOf(value: bigint, size: number): Uint8Array {
  const hex = value.toString(16).padStart(size * 2, '0')
  return new Uint8Array(Buffer.from(hex.slice(-size * 2), 'hex'))
}
