import { ekChecks } from '../../evidence/ek-certificate/ek-checks.ts'
import { pathChecks } from '../../pki/check-path.ts'
import { systemRandom } from '../../platform/random.ts'
import { certificationChecks } from '../../registrar/certification-checks.ts'
import { type RegistrationRules, registrationRules } from '../../registrar/registration-rules.ts'
import { attestationKeyChecks } from '../../tpm/check-attestation-key.ts'
import { eachMinusOne, type Mutant } from './evidence/list-minus-one.ts'
import { RECORD_MUTANTS } from './verifier/record-mutants.ts'

function withRules(change: Partial<RegistrationRules>): Mutant['parts'] {
  return { registrationRules: { ...registrationRules, ...change } }
}

/** Registrars that are wrong in one place. */
export const REGISTRATION_MUTANTS: readonly Mutant[] = [
  ...eachMinusOne({
    checks: attestationKeyChecks,
    defectWithout: ({ demand }) => `an AIK need not ${demand}`,
    partsWith: (checks) => withRules({ attestationKeyChecks: checks }),
  }),
  ...eachMinusOne({
    checks: pathChecks,
    defectWithout: ({ id, why }) => `${id} is not checked, although ${why}`,
    partsWith: (checks) => withRules({ pathChecks: checks }),
  }),
  ...eachMinusOne({
    checks: ekChecks,
    defectWithout: ({ id, why }) => `${id} is not checked, although ${why}`,
    partsWith: (checks) => withRules({ ekChecks: checks }),
  }),
  ...eachMinusOne({
    checks: certificationChecks,
    defectWithout: ({ id, why }) => `${id} is not checked, although ${why}`,
    partsWith: (checks) => withRules({ certificationChecks: checks }),
  }),
  {
    id: 'any-tag-activates',
    defect: 'an activation is accepted with any tag',
    parts: withRules({ isSameTag: () => true }),
  },
  {
    id: 'another-tpm-takes-an-id',
    defect: 'an id goes to the TPM that registered it last',
    parts: withRules({ isSameTpm: () => true }),
  },
  {
    id: 'ek-not-certified',
    defect: 'the EK need not be the key of the EK certificate',
    parts: withRules({ isCertified: () => true }),
  },
  {
    id: 'device-key-not-certified',
    defect:
      'an IAK need not be the key of its certificate, nor the signer of what certifies the AIK',
    parts: withRules({ isCertified: () => true }),
  },
  {
    id: 'challenge-repeated',
    defect: 'every registration has the same challenge',
    parts: { random: { ...systemRandom, bytes: (count) => new Uint8Array(count) } },
  },
  {
    id: 'any-id-registered',
    defect: 'an id may hold any text',
    parts: withRules({ checkId: (id) => id }),
  },
  {
    id: 'ek-store-unchecked',
    defect: 'the store of makers is loaded and not used',
    parts: withRules({ checkPath: () => undefined }),
  },
  {
    id: 'half-a-pair-taken',
    defect: 'an incomplete pair of IAK members is ignored',
    parts: withRules({ missingHalf: () => undefined }),
  },
  ...RECORD_MUTANTS,
]
