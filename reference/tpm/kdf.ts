import { createHash, createHmac } from 'node:crypto'
import { concat, Writer } from '../bytes/writer.ts'
import type { HashAlgorithm } from './algorithms.ts'

/** Inputs of a key derivation; `label` is written without its terminating zero byte. */
interface Derivation {
  readonly hash: HashAlgorithm
  readonly key: Uint8Array
  readonly label: string
  readonly contextU: Uint8Array
  readonly contextV: Uint8Array
  readonly bits: number
}

function u32(value: number): Uint8Array {
  const writer = new Writer()
  writer.u32(value)
  return writer.finish()
}

function labelBytes(label: string): Uint8Array {
  return new TextEncoder().encode(`${label}\0`)
}

function blocks(bits: number, size: number, block: (counter: number) => Uint8Array): Uint8Array {
  if (bits % 8 !== 0) throw new RangeError(`${bits} bits are not whole bytes`)
  const bytes = bits / 8
  const count = Math.ceil(bytes / size)
  const parts = Array.from({ length: count }, (_, index) => block(index + 1))
  return concat(...parts).subarray(0, bytes)
}

/** KDFa (Part 1, 11.4.10.2): SP 800-108 counter mode with HMAC. */
export function kdfa({ hash, key, label, contextU, contextV, bits }: Derivation): Uint8Array {
  const fixed = concat(labelBytes(label), contextU, contextV, u32(bits))
  return blocks(bits, hash.size, (counter) =>
    createHmac(nameOfDigest(hash), key).update(u32(counter)).update(fixed).digest(),
  )
}

/** KDFe (Part 1, 11.4.10.3): the shared coordinate `key`, with the x coordinates of both parties as contexts. */
export function kdfe({ hash, key, label, contextU, contextV, bits }: Derivation): Uint8Array {
  const fixed = concat(key, labelBytes(label), contextU, contextV)
  return blocks(bits, hash.size, (counter) =>
    createHash(nameOfDigest(hash)).update(u32(counter)).update(fixed).digest(),
  )
}

function nameOfDigest(hash: HashAlgorithm): string {
  if (!hash.digest) throw new RangeError(`${hash.name} cannot be computed here`)
  return hash.digest
}
