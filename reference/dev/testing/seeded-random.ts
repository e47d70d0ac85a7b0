import { createHash } from 'node:crypto'
import type { Random } from '../../platform/random.ts'

/** The same bytes for the same seed; no two draws alike. */
export function seededRandom(seed = 'seed'): Random {
  let draws = 0
  const bytes = (count: number): Uint8Array => {
    const blocks = Array.from({ length: Math.ceil(count / 32) }, () => {
      draws += 1
      return createHash('sha256').update(`${seed} ${draws}`).digest()
    })
    return new Uint8Array(Buffer.concat(blocks)).slice(0, count)
  }
  return { bytes, uuid: () => uuidOf(bytes(16)) }
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
