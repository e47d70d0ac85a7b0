import { WireError } from './wire-error.ts'

/**
 * Reads numbers and slices from hostile bytes; every read past the end throws a {@link WireError}.
 *
 * The reader knows which field it is in. On an error the field names are left on the stack on purpose: the message
 * names the innermost field, and a reader that has thrown is not used again.
 */
export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #little: boolean
  readonly #path: string[]
  #at = 0
  #end: number

  constructor(bytes: Uint8Array, name: string, order: 'big' | 'little' = 'big') {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#little = order === 'little'
    this.#path = [name]
    this.#end = bytes.length
  }

  /** bytes consumed so far */
  get offset(): number {
    return this.#at
  }

  /** bytes left in the innermost sized part */
  get remaining(): number {
    return this.#end - this.#at
  }

  /** field that is being read: `TPMS_ATTEST.clockInfo.safe` */
  get path(): string {
    return this.#path.join('')
  }

  /** An error about the current field, for the caller to throw. */
  error(problem: string, offset: number = this.#at): WireError {
    return new WireError(this.path, offset, problem)
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), this.#little)
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), this.#little)
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), this.#little)
  }

  /** The next bytes as a slice of the input, not a copy. */
  take(length: number): Uint8Array {
    const start = this.#advance(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** The next bytes without consuming them, or undefined when there are fewer. */
  peek(length: number): Uint8Array | undefined {
    return length > this.remaining ? undefined : this.#bytes.subarray(this.#at, this.#at + length)
  }

  /** The input between two offsets that have been read already. */
  between(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end)
  }

  /** Bytes that carry nothing; a byte other than zero is refused. */
  padding(length: number): void {
    const start = this.#advance(length)
    const bytes = this.#bytes
    // A loop, as `findIndex` would take longer than all the rest of a PCR blob.
    for (let at = start; at < start + length; at++)
      if (bytes[at] !== 0) throw this.error(`expected padding of zeros, got ${bytes[at]}`, at)
  }

  /** Reads one named part: `.field` or `[index]`. */
  field<T>(segment: string, read: () => T): T {
    this.#path.push(segment)
    const value = read()
    this.#path.pop()
    return value
  }

  /** Reads a part of known length; bytes that `read` leaves are an error. */
  within<T>(length: number, read: () => T): T {
    this.#require(length)
    const outer = this.#end
    this.#end = this.#at + length
    const value = read()
    this.finish()
    this.#end = outer
    return value
  }

  /** Refuses unread bytes. */
  finish(): void {
    if (this.remaining > 0) throw this.error(`${this.remaining} byte(s) left over`)
  }

  #require(length: number): void {
    if (length > this.remaining) throw this.error(`needs ${length} byte(s), ${this.remaining} left`)
  }

  #advance(length: number): number {
    this.#require(length)
    const start = this.#at
    this.#at += length
    return start
  }
}
