import { concat } from '../../../bytes/writer.ts'
import type { Random } from '../random.ts'

const EDGES = [0, 1, 2, 9, 10, 0x20, 0x3a, 0x7f, 0x80, 0xfe, 0xff]
const EDGES_16 = [0, 1, 19, 20, 31, 32, 33, 64, 65, 255, 256, 0x7fff, 0x8000, 0xffff]
const EDGES_32 = [0, 1, 16, 17, 255, 256, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array

/** Changes that know nothing of what the bytes mean. */
const mutations: readonly Mutation[] = [
  (bytes, random) => patched(bytes, random, (old) => [old ^ (1 << random.below(8))]),
  (bytes, random) => patched(bytes, random, () => [random.pick(EDGES)]),
  (bytes, random) => patched(bytes, random, () => [random.below(256)]),
  (bytes, random) => patched(bytes, random, (old) => [old + random.pick([1, -1])]),
  (bytes, random) => {
    const number = random.pick(EDGES_16)
    const both = [number >> 8, number & 255]
    return patched(bytes, random, () => (random.once(2) ? both : both.reverse()))
  },
  (bytes, random) => {
    const number = random.pick(EDGES_32)
    const all = [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]
    return patched(bytes, random, () => (random.once(2) ? all : all.reverse()))
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => concat(bytes, random.bytes(1 + random.below(random.pick([2, 8, 64])))),
  (bytes, random) => {
    const [from, to] = range(bytes, random)
    return concat(bytes.subarray(0, from), bytes.subarray(to))
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1)
    const more = random.bytes(1 + random.below(random.pick([2, 8, 64])))
    return concat(bytes.subarray(0, at), more, bytes.subarray(at))
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random)
    return concat(bytes.subarray(0, to), bytes.subarray(from))
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random)
    const middle = from + random.below(to - from + 1)
    return concat(
      bytes.subarray(0, from),
      bytes.subarray(middle, to),
      bytes.subarray(from, middle),
      bytes.subarray(to),
    )
  },
]

/** The bytes with one small change. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  return random.pick(mutations)(bytes, random)
}

/** The beginning of one and the end of the other. */
export function spliceBytes(left: Uint8Array, right: Uint8Array, random: Random): Uint8Array {
  const at = random.below(left.length + 1)
  const from = random.once(2) ? at : random.below(right.length + 1)
  return concat(left.subarray(0, at), right.subarray(Math.min(from, right.length)))
}

/** A part of the bytes many times over, for work that grows faster than what it is done on. */
export function swellBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const [from, to] = range(bytes, random)
  const part = bytes.subarray(from, Math.max(to, from + 1))
  const times = Math.ceil(random.pick([16_384, 65_536, 262_144]) / Math.max(part.length, 1))
  const many = Array.from({ length: Math.min(times, 16_384) }, () => part)
  return concat(bytes.subarray(0, to), ...many, bytes.subarray(to))
}

function patched(
  bytes: Uint8Array,
  random: Random,
  patch: (old: number) => readonly number[],
): Uint8Array {
  if (bytes.length === 0) return bytes
  // Not `slice`: that of a Buffer is no copy.
  const copy = new Uint8Array(bytes)
  const at = random.below(bytes.length)
  const values = patch(copy[at] ?? 0).slice(0, bytes.length - at)
  copy.set(values, at)
  return copy
}

/** A short stretch more often than a long one. */
function range(bytes: Uint8Array, random: Random): readonly [from: number, to: number] {
  const from = random.below(bytes.length + 1)
  const most = Math.min(bytes.length - from, random.pick([1, 4, 16, 64, bytes.length]))
  return [from, from + random.below(most + 1)]
}
