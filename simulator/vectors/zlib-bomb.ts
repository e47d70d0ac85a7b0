import { cat, filled, u32 } from '../tpm/write.ts'

const MATCH = 258

/** Writes a bit stream as DEFLATE packs it, the lowest bit of a byte first; numbers start with their lowest bit. */
class BitWriter {
  readonly bits: number[] = []

  number(value: number, size: number): void {
    for (let bit = 0; bit < size; bit += 1) this.bits.push((value >> bit) & 1)
  }

  /** Writes a Huffman code, its first bit first. */
  code(bits: string): void {
    for (const bit of bits) this.bits.push(Number(bit))
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.bits.length / 8))
    for (const [at, bit] of this.bits.entries()) {
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7))
    }
    return bytes
  }
}

/** Indexes of the code lengths of 18, 2 and 1 in the order of RFC 1951, 3.2.7. */
const CODE_LENGTHS: Readonly<Record<number, number>> = { 2: 1, 15: 2, 17: 2 }

/**
 * Writes the header of a final block with its own codes: `0` is a match of 258 bytes, `10` a zero byte, `11` the
 * end of the block; `0` is the distance 1. A match and its distance are then two zero bits.
 */
function writeHead(writer: BitWriter): void {
  writer.number(1, 1)
  writer.number(2, 2)
  writer.number(286 - 257, 5)
  writer.number(0, 5)
  writer.number(18 - 4, 4)
  for (let at = 0; at < 18; at += 1) writer.number(CODE_LENGTHS[at] ?? 0, 3)
  const zeros = (count: number) => {
    writer.code('0')
    writer.number(count - 11, 7)
  }
  const [one, two] = ['10', '11']
  writer.code(two)
  zeros(138)
  zeros(117)
  writer.code(two)
  zeros(28)
  writer.code(one)
  writer.code(one)
}

/**
 * Returns a zlib stream (RFC 1950) of 1 + 258·`matches` zero bytes, two bits for each match: the maximum of
 * DEFLATE.
 */
export function zlibBomb(matches: number): Uint8Array {
  const writer = new BitWriter()
  writeHead(writer)
  writer.code('10')
  const end = writer.bits.length + 2 * matches
  const body = filled(Math.ceil((end + 2) / 8))
  body.set(writer.bytes())
  for (const bit of [end, end + 1]) body[bit >> 3] = (body[bit >> 3] ?? 0) | (1 << (bit & 7))
  const adler = u32(((((1 + MATCH * matches) % 65521) << 16) | 1) >>> 0)
  return cat(Uint8Array.of(0x78, 0xda), body, adler)
}
