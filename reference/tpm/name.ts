/**
 * Name of a key: nameAlg, then the hash of the received TPMT_PUBLIC (Part 1 section 16).
 *
 * @param tpm2bPublic TPM2B_PUBLIC as it came; its inner bytes are hashed, never a re-encoding
 * @throws {WireError} when it does not decode, or its nameAlg is NULL or unknown
 */
export function nameOf(_tpm2bPublic: Uint8Array): Uint8Array {
  throw new Error('not written yet')
}
