import { hash as oneShot } from 'node:crypto'
import type { HashAlgorithm } from './algorithms.ts'

function nameOf(hash: HashAlgorithm): string {
  if (!hash.digest) throw new TypeError(`${hash.name} cannot be computed here`)
  return hash.digest
}

/** Hash of some bytes; in one call, as making a hash object costs as much as hashing an entry of a log. */
export function digestOf(hash: HashAlgorithm, bytes: Uint8Array): Uint8Array {
  return oneShot(nameOf(hash), bytes, 'buffer')
}

/** The same in lower-case hexadecimal; a text costs a third of a buffer to make. */
export function digestHex(hash: HashAlgorithm, bytes: Uint8Array): string {
  return oneShot(nameOf(hash), bytes, 'hex')
}

/** The same with one character for every byte, which is the cheapest form of all. */
export function digestLatin1(hash: HashAlgorithm, bytes: Uint8Array): string {
  return oneShot(nameOf(hash), bytes, 'binary')
}

/** TPM2_PCR_Extend (Part 3, 22.2): the hash of the old value and what is added. */
export function extend(hash: HashAlgorithm, value: Uint8Array, added: Uint8Array): Uint8Array {
  const both = new Uint8Array(value.length + added.length)
  both.set(value)
  both.set(added, value.length)
  return digestOf(hash, both)
}
