import { createHash } from 'node:crypto'
import type { HashAlgorithm } from './algorithms.ts'

/** TPM2_PCR_Extend (Part 3, 22.2): the hash of the old value and what is added. */
export function extend(bank: HashAlgorithm, value: Uint8Array, added: Uint8Array): Uint8Array {
  if (!bank.digest) throw new TypeError(`${bank.name} cannot be computed here`)
  return createHash(bank.digest).update(value).update(added).digest()
}
