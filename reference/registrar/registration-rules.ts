import { timingSafeEqual } from 'node:crypto'
import { checkAgentId } from '../api/agent-id.ts'
import { type DeepQuoteRules, deepQuoteRules } from '../evidence/deep-quote/deep-quote.ts'
import { type EkCheck, ekChecks } from '../evidence/ek-certificate/ek-checks.ts'
import { checkPath, pathChecks } from '../pki/check-path.ts'
import type { RegistrationRow } from '../storage/databases/database.ts'
import { attestationKeyChecks } from '../tpm/check-attestation-key.ts'
import { certificationChecks } from './certification-checks.ts'
import { type DeviceRules, missingHalf } from './device-identity.ts'

/** Members of a registration that identify a TPM. */
type TpmIdentity = Pick<RegistrationRow, 'ek_tpm' | 'aik_tpm' | 'ekcert'>

/** The rules of registration and activation; a registrar without one of them is a mutant. */
export interface RegistrationRules extends DeviceRules {
  readonly checkId: typeof checkAgentId
  /** Checks of an EK certificate alone. */
  readonly ekChecks: readonly EkCheck[]
  /** Whether a registration comes from the TPM that has the id. */
  isSameTpm(present: TpmIdentity, offered: TpmIdentity): boolean
  isSameTag(expected: string, given: string): boolean
  readonly deepQuotes: DeepQuoteRules
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
  deepQuotes: deepQuoteRules,
}
