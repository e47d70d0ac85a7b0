import type { Segment } from './segments.ts'

type Order = Segment['order']

/** Cuts bytes into segments as far as they go; unlike a decoder it never complains, what is left is one segment more. */
class Splitter {
  readonly segments: Segment[] = []
  readonly #bytes: Uint8Array
  readonly #order: Order
  #at = 0

  constructor(bytes: Uint8Array, order: Order) {
    this.#bytes = bytes
    this.#order = order
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** A field of this length; returns it as a number. */
  fixed(name: string, length: number): number {
    return numberOf(this.#push(name, 0, length), this.#order)
  }

  /** A field behind its length. */
  sized(name: string, prefix: 1 | 2 | 4): void {
    const announced = numberOf(this.#bytes.subarray(this.#at, this.#at + prefix), this.#order)
    if (this.left < prefix) return
    this.#at += prefix
    const bytes = this.#push(name, prefix, announced)
    if (bytes.length === announced) return
    const last = this.segments.pop()
    if (last) this.segments.push({ ...last, declared: announced })
  }

  rest(): readonly Segment[] {
    if (this.left > 0) this.#push('rest', 0, this.left)
    return this.segments
  }

  #push(name: string, prefix: Segment['prefix'], length: number): Uint8Array {
    const bytes = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += bytes.length
    if (bytes.length > 0 || prefix > 0)
      this.segments.push({ name, prefix, order: this.#order, bytes })
    return bytes
  }
}

function numberOf(bytes: Uint8Array, order: Order): number {
  let number = 0
  for (let at = 0; at < bytes.length; at++)
    number = number * 256 + (bytes[order === 'little' ? bytes.length - 1 - at : at] ?? 0)
  return number
}

const MOST_SELECTIONS = 16

/** TPMS_ATTEST of a quote; others keep their body in one piece. */
export function splitAttest(bytes: Uint8Array): readonly Segment[] {
  const split = new Splitter(bytes, 'big')
  split.fixed('magic', 4)
  split.fixed('type', 2)
  split.sized('qualifiedSigner', 2)
  split.sized('extraData', 2)
  for (const [name, length] of CLOCK) split.fixed(name, length)
  const count = split.fixed('count', 4)
  for (let index = 0; index < Math.min(count, MOST_SELECTIONS); index++) {
    split.fixed('bank', 2)
    split.sized('bitmap', 1)
  }
  split.sized('pcrDigest', 2)
  return split.rest()
}

const CLOCK: readonly (readonly [string, number])[] = [
  ['clock', 8],
  ['resetCount', 4],
  ['restartCount', 4],
  ['safe', 1],
  ['firmwareVersion', 8],
]

/** TPMT_SIGNATURE of any kind. */
export function splitSignature(bytes: Uint8Array): readonly Segment[] {
  const split = new Splitter(bytes, 'big')
  split.fixed('sigAlg', 2)
  split.fixed('hash', 2)
  split.sized('first', 2)
  split.sized('second', 2)
  return split.rest()
}

/** TPM2B_PUBLIC of a signing key with one scheme. */
export function splitPublic(bytes: Uint8Array): readonly Segment[] {
  const split = new Splitter(bytes, 'big')
  split.fixed('size', 2)
  const type = split.fixed('type', 2)
  split.fixed('nameAlg', 2)
  split.fixed('objectAttributes', 4)
  split.sized('authPolicy', 2)
  split.fixed('symmetric', 2)
  split.fixed('scheme', 2)
  split.fixed('schemeHash', 2)
  if (type === 1) split.fixed('keyBits', 2)
  split.fixed(type === 1 ? 'exponent' : 'curve', type === 1 ? 4 : 2)
  if (type !== 1) split.fixed('kdf', 2)
  split.sized('x', 2)
  split.sized('y', 2)
  return split.rest()
}

/** The PCR part of a pull quote: 16 slots of selections, then lists of 8 digests in buffers of 64 bytes. */
export function splitPcrBlob(bytes: Uint8Array): readonly Segment[] {
  const split = new Splitter(bytes, 'little')
  const count = split.fixed('count', 4)
  for (let slot = 0; slot < Math.min(count, 16); slot++)
    for (const [name, length] of SLOT) split.fixed(name, length)
  split.fixed('unused', Math.max(0, 16 - count) * 8)
  const lists = split.fixed('lists', 4)
  for (let list = 0; list < Math.min(lists, 4); list++) {
    split.fixed('digests', 4)
    for (let digest = 0; digest < 8; digest++) {
      split.fixed('digestSize', 2)
      split.fixed('digest', 64)
    }
  }
  return split.rest()
}

const SLOT: readonly (readonly [string, number])[] = [
  ['bank', 2],
  ['sizeofSelect', 1],
  ['bitmap', 3],
  ['padding', 2],
]
