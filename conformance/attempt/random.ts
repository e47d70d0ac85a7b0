import { createHash, randomBytes } from 'node:crypto'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** Deterministic random values: the same seed and name produce the same sequence. */
export interface SeededRandom {
  bytes(count: number): Uint8Array
  /** A version 4 UUID. */
  uuid(): string
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number
}

/** A random seed of 8 hexadecimal digits, for a run without one. */
export function freshSeed(): string {
  return randomBytes(4).toString('hex')
}

/** xoroshiro128+ from the digest of seed and name. Each scenario uses its own name, and so its own stream. */
export function seededRandom(seed: string, name: string): SeededRandom {
  const state = createHash('sha256').update(`${seed}\0${name}`).digest()
  const words = [0, 4, 8, 12].map((at) => state.readInt32LE(at))
  const generator = xoroshiro128plusFromState(words)
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1)
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => below(256))
  return { bytes, uuid: () => formatUuid(bytes(16)), below }
}

function formatUuid(random: Uint8Array): string {
  const hex = Buffer.from(random).toString('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** Returns the items shuffled by the random stream (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: SeededRandom): readonly T[] {
  const order = [...items]
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const [one, two] = [order[at] as T, order[other] as T]
    order[at] = two
    order[other] = one
  }
  return order
}
