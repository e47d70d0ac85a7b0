/** PCR values of one bank, as an attester claims them; nothing is proven yet. */
export interface ClaimedBank {
  /** Name of the hash algorithm: `sha256` */
  readonly bank: string
  /** PCR number -> value, ascending */
  readonly values: ReadonlyMap<number, Uint8Array>
}

/** Claimed PCR values, banks in the order in which the TPM was asked to quote them. */
export type ClaimedPcrs = readonly ClaimedBank[]

/**
 * Reads the `subject_data` of a tpm_quote: an object from PCR number to hex value (the document's form, one bank),
 * or the base64 text of a PCR blob (the form of tpm2-tools, which names its banks).
 *
 * @param bank bank that the object form speaks of; the blob form ignores it
 * @throws {WireError} `subject_data["10"] at byte …` for a key, length or spelling that is not allowed
 */
export function parseSubjectData(
  _value: unknown,
  _bank: string,
  _path = 'subject_data',
): ClaimedPcrs {
  throw new Error('not written yet')
}
