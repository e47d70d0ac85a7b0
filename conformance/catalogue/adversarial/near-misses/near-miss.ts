import type { EvidenceForm } from '../evidence-forms.ts'

export type Members = Readonly<Record<string, unknown>>

/** Evidence that differs in one value from evidence with the other verdict. */
export interface NearMiss {
  /** What is sent; completes "valid of …". */
  readonly sends: string
  /** The requirement that it is not valid; undefined if it is valid. */
  readonly breaks?: string
  /** Whether it repeats the row before it, which is of use only if that one was rejected. */
  readonly again?: true
  /** Optional forms of evidence that it uses. */
  readonly forms?: readonly EvidenceForm[]
  readonly evidence: () => Members
}

/** Near misses of one area, sent one after the other. */
export interface NearMissGroup {
  /** End of the scenario's id. */
  readonly id: string
  readonly title: string
  readonly rows: readonly NearMiss[]
  /** Capabilities of the target file. */
  readonly needs?: readonly string[]
}

/** Returns the bytes with all but the first eight changed. */
export function sameStart(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at < 8 ? byte : byte ^ 0xff))
}

/** Returns the bytes with all but the last eight changed. */
export function sameEnd(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at < bytes.length - 8 ? byte ^ 0xff : byte))
}

/** Returns the bytes with the last bit changed. */
export function lastBit(bytes: Uint8Array): Uint8Array {
  return bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1)
}

/** Returns the bytes with the first bit changed. */
export function firstBit(bytes: Uint8Array): Uint8Array {
  return bytes.with(0, (bytes[0] ?? 0) ^ 0x80)
}

/** Changes of a value that a comparison of a part of it passes over. */
export const ALTERATIONS: readonly (readonly [
  says: string,
  alter: (bytes: Uint8Array) => Uint8Array,
])[] = [
  ['with the same first eight bytes', sameStart],
  ['with the same last eight bytes', sameEnd],
  ['with another first bit', firstBit],
  ['with another last bit', lastBit],
]
