/**
 * Writer functions that return bytes, most significant byte first as TPM 2.0 marshals them. They do not validate,
 * so that invalid structures are as easy to write as valid ones.
 */

/** One byte; only the low eight bits of the value are kept. */
export function u8(value: number): Uint8Array {
  return Uint8Array.of(value)
}

/** Two bytes, big-endian. */
export function u16(value: number): Uint8Array {
  const bytes = new Uint8Array(2)
  new DataView(bytes.buffer).setUint16(0, value)
  return bytes
}

/** Four bytes, big-endian. */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** Eight bytes, big-endian. */
export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}

/** Two bytes, little-endian: for dumps of C structures or of kernel memory. */
export function u16le(value: number): Uint8Array {
  return u16(value).reverse()
}

/** Four bytes, little-endian. */
export function u32le(value: number): Uint8Array {
  return u32(value).reverse()
}

/** Concatenates the parts into a new array. */
export function cat(...parts: readonly Uint8Array[]): Uint8Array {
  return join(parts)
}

/** Concatenates a list, for which hundreds of thousands of arguments would exceed the stack. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Any TPM2B: a 16-bit size and the bytes. `size` states a different size. */
export function tpm2b(bytes: Uint8Array, size = bytes.length): Uint8Array {
  return cat(u16(size), bytes)
}

/** `count` bytes of `value`, zero by default. */
export function filled(count: number, value = 0): Uint8Array {
  return new Uint8Array(count).fill(value)
}

/** UTF-8 bytes of a string, without a terminator. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

/** Bytes of a hexadecimal string. Throws RangeError unless it is whole bytes of hexadecimal digits. */
export function fromHex(hex: string): Uint8Array {
  if (hex.length % 2 !== 0 || /[^0-9a-f]/i.test(hex)) {
    throw new RangeError(`not whole bytes in hexadecimal: ${hex.slice(0, 40)}`)
  }
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}

/** Lower-case hexadecimal string of bytes. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}

/** Whether two byte strings are equal. Not in constant time: nothing here compares secrets. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
