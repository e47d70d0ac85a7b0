/** Collects bytes; the inverse of {@link Reader}. Numbers out of range are a fault of the caller and throw RangeError. */
export class Writer {
  readonly #parts: Uint8Array[] = []
  readonly #little: boolean

  constructor(order: 'big' | 'little' = 'big') {
    this.#little = order === 'little'
  }

  u8(value: number): void {
    this.#number(1, value, (view) => view.setUint8(0, value))
  }

  u16(value: number): void {
    this.#number(2, value, (view) => view.setUint16(0, value, this.#little))
  }

  u32(value: number): void {
    this.#number(4, value, (view) => view.setUint32(0, value, this.#little))
  }

  u64(value: bigint): void {
    if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} does not fit 64 bits`)
    const part = new Uint8Array(8)
    new DataView(part.buffer).setBigUint64(0, value, this.#little)
    this.#parts.push(part)
  }

  put(bytes: Uint8Array): void {
    this.#parts.push(bytes)
  }

  finish(): Uint8Array {
    return join(this.#parts)
  }

  // DataView wraps a number that is too large in silence.
  #number(size: number, value: number, set: (view: DataView) => void): void {
    if (!Number.isInteger(value) || value < 0 || value >= 256 ** size)
      throw new RangeError(`${value} does not fit ${size} byte(s)`)
    const part = new Uint8Array(size)
    set(new DataView(part.buffer))
    this.#parts.push(part)
  }
}

/** All the bytes, one after the other, in a new array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return join(parts)
}

// A list, as arguments in their hundreds of thousands do not fit the stack.
function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
