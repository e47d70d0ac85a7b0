import { createHash, type KeyObject } from 'node:crypto'
import { equalBytes } from '../bytes/equal.ts'
import { type Attest, TPM_GENERATED_VALUE, TPM_ST_ATTEST_CERTIFY } from '../tpm/attest.ts'
import type { Signature } from '../tpm/signature.ts'
import { verifySignature } from '../tpm/verify-signature.ts'

/** TPM2_Certify of an AIK by the IAK of its device. */
interface Certification {
  readonly agentId: string
  /** Name of the AIK that registers. */
  readonly aikName: Uint8Array
  readonly iak: KeyObject
  /** TPMS_ATTEST as it came, and read. */
  readonly message: Uint8Array
  readonly attest: Attest
  readonly signature: Signature
}

/** One question asked of a certification; `problem` completes the sentence "the certification …". */
export interface CertificationCheck {
  readonly id: string
  readonly why: string
  problem(subject: Certification): string | undefined
}

/** Checks of a certification, in the order of their reports. */
export const certificationChecks: readonly CertificationCheck[] = [
  {
    id: 'certification.magic',
    why: 'a restricted key signs a structure that begins with TPM_GENERATED_VALUE only if its TPM made it',
    problem: ({ attest }) =>
      attest.magic === TPM_GENERATED_VALUE
        ? undefined
        : 'was not made by a TPM: its magic is wrong',
  },
  {
    id: 'certification.type',
    why: 'a quote of the device certifies no other key',
    problem: ({ attest }) =>
      attest.type === TPM_ST_ATTEST_CERTIFY
        ? undefined
        : `is a TPMS_ATTEST of another type than 0x8017`,
  },
  {
    id: 'certification.agent',
    why: 'a certification for one agent would work for every other',
    problem: ({ attest, agentId }) =>
      namesOf(agentId).some((name) => equalBytes(name, attest.extraData))
        ? undefined
        : 'is not for this agent: extraData is neither its id nor the SHA-256 of it',
  },
  {
    id: 'certification.name',
    why: 'that some key is in the device does not show that this AIK is',
    problem: ({ attest: { attested }, aikName }) =>
      attested.kind !== 'certify' || equalBytes(attested.value.name, aikName)
        ? undefined
        : 'is of another key than the AIK',
  },
  {
    id: 'certification.signature',
    why: 'without a valid signature an attacker may have written the rest',
    problem: ({ iak, signature, message }) => {
      const outcome = verifySignature(iak, signature, message)
      return outcome.ok ? undefined : `is not signed by the IAK: ${outcome.why}`
    },
  },
]

/** Agents say their id as it is, or its SHA-256, which fits every TPM2B_DATA. */
function namesOf(agentId: string): readonly Uint8Array[] {
  const id = Buffer.from(agentId)
  return [id, createHash('sha256').update(id).digest()]
}
