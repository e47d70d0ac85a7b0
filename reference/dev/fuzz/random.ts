import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Choices that follow from a seed and the number of a run, so that any run can be repeated alone. */
export interface Random {
  /** a number from 0 to `limit` - 1 */
  below(limit: number): number
  /** true once in `times` */
  once(times: number): boolean
  pick<T>(choices: readonly T[]): T
  bytes(length: number): Uint8Array
}

export function makeRandom(seed: number, run: number): Random {
  const generator = xoroshiro128plus(scatter(scatter(seed) ^ Math.imul(run + 1, 0x9e3779b1)))
  // The first numbers of neighbouring seeds resemble each other.
  for (let skipped = 0; skipped < 4; skipped++) generator.next()
  const below = (limit: number) => (generator.next() >>> 0) % limit
  return {
    below,
    once: (times) => below(times) === 0,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError('nothing to pick from')
      return choices[below(choices.length)] as T
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}

/** Every bit of the result depends on every bit of the number (the last step of MurmurHash3). */
function scatter(number: number): number {
  let mixed = number | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
