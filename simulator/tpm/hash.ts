import { hash } from 'node:crypto'
import { TPM_ALG } from './constants.ts'

/** Names of the PCR banks in policies, tool arguments and IMA lists. */
export type Bank = 'sha1' | 'sha256' | 'sha384' | 'sha512'

interface HashRow {
  readonly alg: number
  /** Digest length in bytes. */
  readonly size: number
}

/** Every bank with its TPM_ALG_ID and digest length. */
export const HASHES: Readonly<Record<Bank, HashRow>> = {
  sha1: { alg: TPM_ALG.SHA1, size: 20 },
  sha256: { alg: TPM_ALG.SHA256, size: 32 },
  sha384: { alg: TPM_ALG.SHA384, size: 48 },
  sha512: { alg: TPM_ALG.SHA512, size: 64 },
}

/** The banks in the order of their algorithm numbers. */
export const BANKS: readonly Bank[] = ['sha1', 'sha256', 'sha384', 'sha512']

/** Returns the bank of a TPM_ALG_ID, or undefined if it is not a known hash. */
export function bankOf(alg: number): Bank | undefined {
  return BANKS.find((bank) => HASHES[bank].alg === alg)
}

/** Digest of `bytes`. The one-shot form of node:crypto costs a third of createHash for small inputs. */
export function digest(bank: Bank, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash(bank, bytes, 'buffer'))
}
