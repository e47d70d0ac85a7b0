/** What is sealed, to whom, and for which object. */
export interface CredentialRequest {
  /** TPM2B_PUBLIC of the endorsement key */
  readonly ekPublic: Uint8Array
  /** Name of the object that must be loaded beside the endorsement key */
  readonly name: Uint8Array
  /** at most as long as the endorsement key's name hash */
  readonly secret: Uint8Array
  /** gives that many unpredictable bytes */
  random(length: number): Uint8Array
}

/**
 * Seals a secret that only the TPM with this endorsement key can open, and only for the object of this Name
 * (TPM2_MakeCredential, Part 1 section 24), in the file form of the usual tools:
 * BADCC0DE, version 1, TPM2B_ID_OBJECT, TPM2B_ENCRYPTED_SECRET.
 *
 * @throws {WireError} when `ekPublic` is not a TPM2B_PUBLIC
 * @throws {UnsupportedKey} when the key is not a storage key this side can seal to
 */
export function makeCredential(_request: CredentialRequest): Uint8Array {
  throw new Error('not written yet')
}
