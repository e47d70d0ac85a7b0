import { concat } from '../../../bytes/writer.ts'
import type { Random } from '../random.ts'
import { mutateBytes } from './bytes.ts'

/**
 * A stretch of a structure: a field of its own length, or one behind its length.
 * The length that is declared and the bytes that are there are told apart, so that either can lie.
 */
export interface Segment {
  readonly name: string
  /** bytes of the length in front; 0 for a field without one */
  readonly prefix: 0 | 1 | 2 | 4
  readonly order: 'big' | 'little'
  readonly bytes: Uint8Array
  /** what the length says, when it is not the number of bytes */
  readonly declared?: number
}

export function joinSegments(segments: readonly Segment[]): Uint8Array {
  return concat(...segments.flatMap((each) => [lengthOf(each), each.bytes]))
}

function lengthOf({ prefix, order, bytes, declared = bytes.length }: Segment): Uint8Array {
  const length = Uint8Array.from({ length: prefix }, (_, at) => {
    const shift = 8 * (order === 'little' ? at : prefix - 1 - at)
    return Math.floor(declared / 2 ** shift) & 255
  })
  return length
}

/** Numbers that mean something somewhere in these structures: algorithms, types, counts. */
const NUMBERS = [
  0, 1, 2, 3, 4, 8, 9, 16, 17, 20, 24, 32, 33, 0x0b, 0x0c, 0x0d, 0x12, 0x14, 0x16, 0x18, 0x1a, 0x1b,
  0x1c, 0x23, 0x27, 0x7fff, 0x8014, 0x8015, 0x8016, 0x8017, 0x8018, 0x8019, 0x801a, 0x801c, 0xffff,
]

/** The segments with one of them changed: what it holds, what its length says, or whether it is there. */
export function mutateSegments(
  segments: readonly Segment[],
  others: readonly Segment[],
  random: Random,
): readonly Segment[] {
  if (segments.length === 0) return others
  const at = random.below(segments.length)
  const chosen = segments[at]
  if (!chosen) return segments
  const put = (...replaced: readonly Segment[]) => segments.toSpliced(at, 1, ...replaced)
  switch (random.below(8)) {
    case 0:
      return put({ ...chosen, declared: lie(chosen.bytes.length, random) })
    case 1:
      return put(fromOther(chosen, others, random))
    case 2:
      return put({ ...chosen, bytes: numbered(chosen, random) })
    case 3:
      return random.once(3) ? put() : put(chosen, chosen)
    case 4:
      return put({ ...chosen, bytes: new Uint8Array(chosen.bytes).reverse() })
    case 5:
      return put({
        ...chosen,
        bytes: new Uint8Array(chosen.bytes.length).fill(random.pick([0, 255])),
      })
    default:
      return put({ ...chosen, bytes: mutateBytes(chosen.bytes, random) })
  }
}

function lie(length: number, random: Random): number {
  return random.pick([
    length + 1,
    Math.max(length - 1, 0),
    0,
    1,
    64,
    65,
    255,
    256,
    0xffff,
    0xffffffff,
  ])
}

/** The segment of the same name from elsewhere, or any. */
function fromOther(chosen: Segment, others: readonly Segment[], random: Random): Segment {
  const same = others.filter(({ name }) => name === chosen.name)
  if (same.length > 0) return random.pick(same)
  return others.length > 0 ? { ...chosen, bytes: random.pick(others).bytes } : chosen
}

function numbered({ bytes, order }: Segment, random: Random): Uint8Array {
  const number = random.pick(NUMBERS)
  const wide = Uint8Array.from({ length: bytes.length }, (_, at) => {
    const place = order === 'little' ? at : bytes.length - 1 - at
    return place > 3 ? 0 : (number >>> (8 * place)) & 255
  })
  return wide
}
