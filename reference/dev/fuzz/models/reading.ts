/** Reads numbers in a row; undefined as soon as there are too few bytes. A second reading, shared with nobody. */
export class Reading {
  readonly #bytes: Uint8Array
  readonly #little: boolean
  #at = 0
  #short = false

  constructor(bytes: Uint8Array, order: 'big' | 'little' = 'big') {
    this.#bytes = bytes
    this.#little = order === 'little'
  }

  number(length: number): number {
    let value = 0
    const bytes = this.bytes(length)
    for (let at = 0; at < length; at++)
      value = value * 256 + (bytes[this.#little ? length - 1 - at : at] ?? 0)
    return value
  }

  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) this.#short = true
    const part = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return part
  }

  sized(prefix: number): Uint8Array {
    return this.bytes(this.number(prefix))
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** Whether every read was inside the bytes, and nothing is left. */
  get exact(): boolean {
    return !this.#short && this.left === 0
  }

  get short(): boolean {
    return this.#short
  }
}

/** Bits of a little bitmap, ascending. */
export function bitsOf(bitmap: Uint8Array): readonly number[] {
  const bits: number[] = []
  for (let bit = 0; bit < bitmap.length * 8; bit++)
    if (((bitmap[bit >> 3] ?? 0) >> (bit & 7)) & 1) bits.push(bit)
  return bits
}

/** Hash algorithms of a TPM: id -> name, bytes, name in OpenSSL. */
export const BANKS: ReadonlyMap<number, readonly [name: string, size: number, openssl: string]> =
  new Map([
    [0x04, ['sha1', 20, 'sha1']],
    [0x0b, ['sha256', 32, 'sha256']],
    [0x0c, ['sha384', 48, 'sha384']],
    [0x0d, ['sha512', 64, 'sha512']],
    [0x12, ['sm3_256', 32, '']],
    [0x27, ['sha3_256', 32, 'sha3-256']],
    [0x28, ['sha3_384', 48, 'sha3-384']],
    [0x29, ['sha3_512', 64, 'sha3-512']],
  ])
