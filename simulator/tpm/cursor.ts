/** Thrown if a structure ends inside a field; names the structure and the byte offset. */
export class ShortRead extends Error {
  override readonly name = 'ShortRead'
  readonly offset: number
  /** Path of the truncated field if its reader names fields; else the empty string. */
  readonly path: string
  readonly wanted: number
  readonly there: number

  constructor(what: string, offset: number, wanted: number, there: number, path = '') {
    super(`${what} at byte ${offset}: ${wanted} byte(s) wanted, ${there} there`)
    this.offset = offset
    this.path = path
    this.wanted = wanted
    this.there = there
  }
}

/** A field and its position: `clockInfo.clock`, `pcrSelect[0].hash`. */
interface ReadField {
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Called with every named field, in the order of reading. */
export type OnRead = (field: ReadField) => void

/**
 * The tolerant reader: reads fields in the requested order and ignores trailing bytes. Multi-byte integers are
 * big-endian unless the name ends in `le`. Slices are views, not copies.
 * Every read past the end throws ShortRead, since a missing field has no valid value.
 */
export class Cursor {
  readonly bytes: Uint8Array
  offset: number
  readonly #what: string
  readonly #onRead: OnRead | undefined
  readonly #view: DataView
  #prefix = ''
  #name = ''

  /** `what` names the structure in errors. */
  constructor(bytes: Uint8Array, what: string, offset = 0, onRead?: OnRead) {
    this.bytes = bytes
    this.#what = what
    this.offset = offset
    this.#onRead = onRead
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Names the next field for `onRead`. */
  named(name: string): this {
    this.#name = name
    return this
  }

  /** Reads a part whose fields are called `name.…`; an index such as `[0]` is joined without the dot. */
  inside<T>(name: string, read: (cursor: Cursor) => T): T {
    const outer = this.#prefix
    this.#prefix = this.#path(name)
    const value = read(this)
    this.#prefix = outer
    return value
  }

  /** Returns a reader of the next `size` bytes, with offsets relative to their start. */
  within(size: number, what: string): Cursor {
    const end = this.offset + this.take(size).length
    return new Cursor(this.bytes.subarray(0, end), what, end - size, this.#onRead)
  }

  /** Number of unread bytes. */
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

  /** Returns the next `count` bytes. */
  take(count: number): Uint8Array {
    const start = this.#advance(count)
    return this.bytes.subarray(start, start + count)
  }

  /** Returns the bytes of a TPM2B, without its size. */
  tpm2b(): Uint8Array {
    const name = this.#name
    const size = this.named(name && `${name}.size`).u16()
    return this.named(name).take(size)
  }

  /** Returns all unread bytes. */
  rest(): Uint8Array {
    if (this.left === 0) this.#name = ''
    return this.take(this.left)
  }

  #path(name: string): string {
    return this.#prefix === '' || name.startsWith('[')
      ? this.#prefix + name
      : `${this.#prefix}.${name}`
  }

  #advance(count: number): number {
    const offset = this.offset
    const name = this.#name
    this.#name = ''
    if (count > this.left) {
      throw new ShortRead(this.#what, offset, count, this.left, name && this.#path(name))
    }
    this.offset += count
    if (name !== '') this.#onRead?.({ path: this.#path(name), offset, length: count })
    return offset
  }
}
