import type { SeededRandom } from '../../conformance/attempt/random.ts'
import { cat, u16, u32 } from '../../simulator/tpm/write.ts'

/** One of the items, which may be undefined; throws RangeError when there is none. */
export function oneOf<T>(items: readonly T[], random: SeededRandom): T {
  if (items.length === 0) throw new RangeError('there is nothing to choose from')
  return items[random.below(items.length)] as T
}

/** The bytes with one bit turned; no bytes stay none. */
export function turnBit(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  if (bytes.length === 0) return bytes
  const turned = Uint8Array.from(bytes)
  const at = random.below(bytes.length)
  turned[at] = (turned[at] ?? 0) ^ (1 << random.below(8))
  return turned
}

/** The first bytes, at least one fewer than there are. */
export function cutShort(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  return bytes.slice(0, random.below(Math.max(1, bytes.length)))
}

/** A run of bytes taken out from somewhere. */
function cutOut(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const from = random.below(Math.max(1, bytes.length))
  const count = 1 + random.below(Math.max(1, Math.min(32, bytes.length - from)))
  return cat(bytes.subarray(0, from), bytes.subarray(from + count))
}

/** A few bytes put in somewhere. */
function putIn(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const at = random.below(bytes.length + 1)
  return cat(bytes.subarray(0, at), random.bytes(1 + random.below(8)), bytes.subarray(at))
}

/** Whole numbers on which readers stumble. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0xffffffff]

/** A two-byte or four-byte number written over what stands somewhere, in either byte order. */
function overwriteNumber(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const value = oneOf(EDGES, random)
  const number = random.below(2) === 0 ? u16(value & 0xffff) : u32(value)
  if (random.below(2) === 0) number.reverse()
  if (bytes.length < number.length) return bytes
  const over = Uint8Array.from(bytes)
  over.set(number, random.below(bytes.length - number.length + 1))
  return over
}

/** One of the ways in which bytes go wrong without anybody knowing what they mean. */
export function mutateBytes(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  return oneOf([turnBit, cutShort, cutOut, putIn, overwriteNumber], random)(bytes, random)
}
