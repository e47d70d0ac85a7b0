import { hash as oneShot } from 'node:crypto'
import type { HashAlgorithm } from './algorithms.ts'

function nameOf(hash: HashAlgorithm): string {
  if (!hash.digest) throw new TypeError(`${hash.name} cannot be computed here`)
  return hash.digest
}

/**
 * Hash of some bytes; in one call, as making a hash object costs as much as hashing an entry of a log.
 * By way of a text, as a digest that comes as a buffer brings memory of its own, at more than the price of the hash.
 */
export function digestOf(hash: HashAlgorithm, bytes: Uint8Array): Uint8Array {
  return Buffer.from(digestLatin1(hash, bytes), 'latin1')
}

/** The same in lower-case hexadecimal; a text costs a third of a buffer to make. */
export function digestHex(hash: HashAlgorithm, bytes: Uint8Array): string {
  return oneShot(nameOf(hash), bytes, 'hex')
}

/** The same with one character for every byte, which is the cheapest form of all. */
export function digestLatin1(hash: HashAlgorithm, bytes: Uint8Array): string {
  return oneShot(nameOf(hash), bytes, 'binary')
}

/** A PCR of one bank, extended in place, as a log has hundreds of events and only the last value is asked for. */
export class Register {
  readonly #hash: HashAlgorithm
  /** the value, followed by space for the extended digest */
  readonly #both: Buffer

  constructor(hash: HashAlgorithm, start: Uint8Array) {
    this.#hash = hash
    this.#both = Buffer.alloc(hash.size * 2)
    this.#both.set(start)
  }

  /** a view, which changes with the next event */
  get value(): Uint8Array {
    return this.#both.subarray(0, this.#hash.size)
  }

  /**
   * TPM2_PCR_Extend (Part 3, 22.2): the hash of the old value and the added digest.
   *
   * @throws {RangeError} when that is not as long as a digest of the bank
   */
  extend(added: Uint8Array): void {
    const { name, size } = this.#hash
    if (added.length !== size)
      throw new RangeError(`${added.length} bytes for a PCR of ${name}, expected ${size}`)
    this.#both.set(added, size)
    this.#both.write(digestLatin1(this.#hash, this.#both), 'latin1')
  }
}

/** The value after one extend. */
export function extend(hash: HashAlgorithm, value: Uint8Array, added: Uint8Array): Uint8Array {
  const register = new Register(hash, value)
  register.extend(added)
  return register.value
}
