import type { Check } from './check.ts'
import type { Finding } from './findings.ts'

/** A session proof: TPM2_Certify of the attestation key by itself, over the session challenge. */
export interface PossessionProof {
  /** TPM2B_PUBLIC of the enrolled attestation key */
  readonly attestationKey: Uint8Array
  /** raw bytes of the challenge, not its base64 text */
  readonly challenge: Uint8Array
  /** TPMS_ATTEST, without size prefix */
  readonly message: Uint8Array
  /** TPMT_SIGNATURE */
  readonly signature: Uint8Array
}

/** The case that possession checks look at. */
export type PossessionCase = PossessionProof

export const possessionChecks: readonly Check<PossessionCase>[] = []

/** Judges a session proof; an empty list of findings means that the key is there and the proof is fresh. */
export function checkPossession(
  _proof: PossessionProof,
  _checks: readonly Check<PossessionCase>[] = possessionChecks,
): readonly Finding[] {
  throw new Error('not written yet')
}
