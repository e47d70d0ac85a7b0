/** Thrown when a structure ends before a field does; says in which structure, and at which byte. */
export class ShortRead extends Error {
  override readonly name = 'ShortRead'
  readonly offset: number

  constructor(what: string, offset: number, wanted: number, there: number) {
    super(`${what} at byte ${offset}: ${wanted} byte(s) wanted, ${there} there`)
    this.offset = offset
  }
}

/**
 * The tolerant reader: reads what is there in the order it is asked, and never minds what is left over.
 * Multi-byte integers are big-endian unless the name ends in `le`. Slices are views, not copies.
 * Every read throws ShortRead past the end, because a missing field has no value that would be honest.
 */
export class Cursor {
  readonly bytes: Uint8Array
  offset: number
  readonly #what: string
  readonly #view: DataView

  /** `what` names the structure in errors. */
  constructor(bytes: Uint8Array, what: string, offset = 0) {
    this.bytes = bytes
    this.#what = what
    this.offset = offset
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** How many bytes have not been read. */
  get left(): number {
    return this.bytes.length - this.offset
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2))
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4))
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8))
  }

  u16le(): number {
    return this.#view.getUint16(this.#advance(2), true)
  }

  u32le(): number {
    return this.#view.getUint32(this.#advance(4), true)
  }

  /** The next `count` bytes. */
  take(count: number): Uint8Array {
    const start = this.#advance(count)
    return this.bytes.subarray(start, start + count)
  }

  /** The bytes of a TPM2B, without its size. */
  tpm2b(): Uint8Array {
    return this.take(this.u16())
  }

  /** Everything that has not been read. */
  rest(): Uint8Array {
    return this.take(this.left)
  }

  #advance(count: number): number {
    const start = this.offset
    if (count > this.left) throw new ShortRead(this.#what, start, count, this.left)
    this.offset += count
    return start
  }
}
