import { type KeyObject, timingSafeEqual } from 'node:crypto'
import { checkAgentId } from '../api/agent-id.ts'
import { type EkCheck, ekChecks } from '../evidence/ek-certificate/ek-checks.ts'
import { checkPath, type PathCheck, pathChecks } from '../pki/check-path.ts'
import type { RegistrationRow } from '../storage/databases/database.ts'
import { attestationKeyChecks, type KeyCheck } from '../tpm/check-attestation-key.ts'
import { type CertificationCheck, certificationChecks } from './certification-checks.ts'
import { missingHalf } from './device-identity.ts'

/** What tells one TPM from another. */
export type TpmIdentity = Pick<RegistrationRow, 'ek_tpm' | 'aik_tpm' | 'ekcert'>

/** What registration and activation stand on; a registrar without one of these is a mutant. */
export interface RegistrationRules {
  readonly attestationKeyChecks: readonly KeyCheck[]
  readonly checkId: typeof checkAgentId
  /** Whether a certificate has makers that are known, and what is asked of its path to them. */
  readonly checkPath: typeof checkPath
  readonly pathChecks: readonly PathCheck[]
  /** What is asked of an EK certificate by itself. */
  readonly ekChecks: readonly EkCheck[]
  readonly certificationChecks: readonly CertificationCheck[]
  readonly missingHalf: typeof missingHalf
  /** Whether the key that was submitted is the one that its maker certified. */
  isCertified(submitted: KeyObject, certified: KeyObject): boolean
  /** Whether a registration comes from the TPM that has the id. */
  isSameTpm(present: TpmIdentity, offered: TpmIdentity): boolean
  isSameTag(expected: string, given: string): boolean
}

export const registrationRules: RegistrationRules = {
  attestationKeyChecks,
  checkId: checkAgentId,
  checkPath,
  pathChecks,
  ekChecks,
  certificationChecks,
  missingHalf,
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
