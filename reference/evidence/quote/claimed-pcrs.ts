/** PCR values of one bank, as an attester claims them; nothing is proven yet. */
interface ClaimedBank {
  /** Name of the hash algorithm: `sha256` */
  readonly bank: string
  /** PCR number -> value, ascending */
  readonly values: ReadonlyMap<number, Uint8Array>
}

/** Claimed PCR values, banks in the order in which the TPM was asked to quote them. */
export type ClaimedPcrs = readonly ClaimedBank[]

/** Highest PCR of a PC client platform. */
export const LAST_PCR = 23
