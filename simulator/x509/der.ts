import { cat, fromHex, text, u8, u16 } from '../tpm/write.ts'

/** One DER element: tag, shortest length, contents. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const contents = cat(...parts)
  return cat(u8(tag), lengthOf(contents.length), contents)
}

function lengthOf(size: number): Uint8Array {
  if (size < 0x80) return u8(size)
  return size < 0x100 ? Uint8Array.of(0x81, size) : cat(u8(0x82), u16(size))
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...parts)
}

/** A SET in the given order; DER requires ascending order of the encodings. */
export function set(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x31, ...parts)
}

/** An object identifier from its encoded arcs in hexadecimal. */
export function oid(hex: string): Uint8Array {
  return der(0x06, fromHex(hex))
}

/** A positive INTEGER of any size. */
export function integer(value: bigint): Uint8Array {
  const hex = value.toString(16)
  const bytes = fromHex(hex.length % 2 === 0 ? hex : `0${hex}`)
  return der(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : cat(u8(0), bytes))
}

export function boolean(value: boolean): Uint8Array {
  return der(0x01, u8(value ? 0xff : 0))
}

export function octets(contents: Uint8Array): Uint8Array {
  return der(0x04, contents)
}

/** A BIT STRING; `unused` is the number of unused last bits. */
export function bits(contents: Uint8Array, unused = 0): Uint8Array {
  return der(0x03, u8(unused), contents)
}

export function utf8(value: string): Uint8Array {
  return der(0x0c, text(value))
}

/** GeneralizedTime, given as `YYYYMMDDhhmmssZ`. */
export function time(value: string): Uint8Array {
  return der(0x18, text(value))
}
