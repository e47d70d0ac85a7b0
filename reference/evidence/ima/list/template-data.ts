import { WireError } from '../../../bytes/wire-error.ts'

const FIRST_SIZE = 4096

/** Value of a lower-case hexadecimal digit by its character code; 16 for everything else. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code))
  return digit < 0 ? 16 : digit
})

/**
 * Template data of one entry under construction.
 * One buffer serves a whole list, since making one for every entry costs more than hashing it does.
 */
export class TemplateData {
  #bytes = Buffer.alloc(FIRST_SIZE)
  /** slices of the buffer by their length, made once each */
  #slices: (Buffer | undefined)[] = []
  #length = 0

  /** Discards the written bytes. */
  clear(): void {
    this.#length = 0
  }

  /** The written bytes; valid until the next {@link clear}. */
  bytes(): Buffer {
    const length = this.#length
    if (length > FIRST_SIZE) return this.#bytes.subarray(0, length)
    const slice = this.#slices[length] ?? this.#bytes.subarray(0, length)
    this.#slices[length] = slice
    return slice
  }

  byte(value: number): void {
    const at = this.#reserve(1)
    this.#bytes[at] = value
  }

  /** Bytes of another buffer; in a loop, as most fields are too short for a native call to pay off. */
  copy(source: Uint8Array, start: number, end: number): void {
    const at = this.#reserve(end - start)
    const bytes = this.#bytes
    for (let from = start, to = at; from < end; from++, to++) bytes[to] = source[from] ?? 0
  }

  /**
   * Bytes that stand in the list as hexadecimal digits.
   * The kernel writes lower case; with one spelling for every byte, no two lists mean the same.
   *
   * @throws {WireError} at the first character that is not a lower-case digit
   */
  hex(source: Uint8Array, start: number, end: number, field: string): void {
    const count = (end - start) >> 1
    const at = this.#reserve(count)
    const bytes = this.#bytes
    let bad = 0
    for (let index = 0, from = start; index < count; index++, from += 2) {
      const high = DIGITS[source[from] ?? 0] ?? 16
      const low = DIGITS[source[from + 1] ?? 0] ?? 16
      bad |= high | low
      bytes[at + index] = (high << 4) | low
    }
    if (bad > 15 || (end - start) % 2 === 1) throw hexError(source, start, end, field)
  }

  /** Zero bytes. */
  pad(count: number): void {
    const at = this.#reserve(count)
    this.#bytes.fill(0, at, at + count)
  }

  /** Reserves space for the length of a field, which is known only once the field is written. */
  beginField(): number {
    return this.#reserve(4)
  }

  /** Fills in the length of the field that began at `mark`. */
  endField(mark: number): void {
    this.#bytes.writeUInt32LE(this.#length - mark - 4, mark)
  }

  #reserve(count: number): number {
    const at = this.#length
    const needed = at + count
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#length = needed
    return at
  }

  #grow(needed: number): void {
    const larger = Buffer.alloc(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    this.#slices = []
  }
}

function hexError(source: Uint8Array, start: number, end: number, field: string): WireError {
  const stray = source.subarray(start, end).findIndex((code) => (DIGITS[code] ?? 16) > 15)
  if (stray < 0) return new WireError(field, end - start, 'odd number of hexadecimal digits')
  const upper = /[A-F]/.test(String.fromCharCode(source[start + stray] ?? 0))
  const problem = upper ? 'expected lower-case hexadecimal digits' : 'not a hexadecimal digit'
  return new WireError(field, stray, problem)
}
