import { type KeyObject, timingSafeEqual } from 'node:crypto'
import type { RegistrationRow } from '../storage/database.ts'
import { attestationKeyChecks, type KeyCheck } from '../tpm/check-attestation-key.ts'

/** What tells one TPM from another. */
export type TpmIdentity = Pick<RegistrationRow, 'ek_tpm' | 'aik_tpm' | 'ekcert'>

/** What registration and activation stand on; a registrar without one of these is a mutant. */
export interface RegistrationRules {
  readonly attestationKeyChecks: readonly KeyCheck[]
  /** Whether the EK that was submitted is the one that its maker certified. */
  isCertified(submitted: KeyObject, certified: KeyObject): boolean
  /** Whether a registration comes from the TPM that has the id. */
  isSameTpm(present: TpmIdentity, offered: TpmIdentity): boolean
  isSameTag(expected: string, given: string): boolean
}

export const registrationRules: RegistrationRules = {
  attestationKeyChecks,
  isCertified: (submitted, certified) => submitted.equals(certified),
  isSameTpm: (present, offered) =>
    present.ek_tpm === offered.ek_tpm &&
    present.aik_tpm === offered.aik_tpm &&
    (present.ekcert === null || offered.ekcert === null || present.ekcert === offered.ekcert),
  isSameTag(expected, given) {
    const one = Buffer.from(expected)
    const other = Buffer.from(given)
    return one.length === other.length && timingSafeEqual(one, other)
  },
}
