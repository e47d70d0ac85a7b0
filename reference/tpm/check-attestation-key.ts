/** One demand on an attestation key. */
export interface KeyProblem {
  /** id of the demand: `ak.restricted` */
  readonly id: string
  /** one sentence for a person */
  readonly message: string
}

/**
 * What is wrong with a key that wants to be enrolled as an attestation key; empty when nothing is.
 * A TPM2B_PUBLIC that does not decode is one problem with the id `ak.structure`.
 */
export function checkAttestationKey(_tpm2bPublic: Uint8Array): readonly KeyProblem[] {
  throw new Error('not written yet')
}
