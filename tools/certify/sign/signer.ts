import type { KeyObject } from 'node:crypto'

/** Who signs a certificate. */
export interface Signer {
  readonly publicKey: KeyObject
  /** How it signs, for the statement: algorithm, and where the key is. */
  readonly how: string
  sign(message: Uint8Array): Promise<Uint8Array>
}
