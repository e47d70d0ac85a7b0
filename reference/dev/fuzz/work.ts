import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** What code did, counted where it cannot be faked: bytes it hashed, a call counting as one block. */
export interface WorkCounter {
  /** bytes since the last call of `restart` */
  hashed(): number
  restart(): void
  /** takes the counter out again */
  remove(): void
}

/** Least that one call of a hash costs. */
const BLOCK = 64

/** Counts the bytes that go into hashes, anywhere in this thread, until it is removed. */
export function countWork(): WorkCounter {
  const original = crypto.hash
  const createHash = crypto.createHash
  let count = 0
  const add = (data: unknown) => {
    count += BLOCK + (typeof data === 'string' || data instanceof Uint8Array ? data.length : 0)
  }
  const replace = (oneShot: typeof original, stream: typeof createHash) => {
    Object.assign(crypto, { hash: oneShot, createHash: stream })
    syncBuiltinESMExports()
  }
  const counted = (...told: Parameters<typeof original>) => {
    add(told[1])
    return original(...told)
  }
  const countedStream = (...told: Parameters<typeof createHash>) => {
    const made = createHash(...told)
    const update = made.update.bind(made)
    made.update = (data: Parameters<typeof update>[0]) => {
      add(data)
      return update(data)
    }
    return made
  }
  replace(counted as typeof original, countedStream as typeof createHash)
  return {
    hashed: () => count,
    restart: () => {
      count = 0
    },
    remove: () => replace(original, createHash),
  }
}
