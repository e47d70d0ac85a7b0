import { createHash } from 'node:crypto'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { Random } from '../../platform/random.ts'

/** The same sequence of bytes for the same seed. */
export function seededRandom(seed = 'seed'): Random {
  const state = createHash('sha256').update(seed).digest()
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((at) => state.readInt32LE(at)))
  const bytes = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => uniformInt(generator, 0, 255))
  return { bytes, uuid: () => uuidOf(bytes(16)) }
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
