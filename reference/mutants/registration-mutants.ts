import { systemRandom } from '../random.ts'
import { type RegistrationRules, registrationRules } from '../registrar/registration-rules.ts'
import { attestationKeyChecks } from '../tpm/check-attestation-key.ts'
import { eachMinusOne, type Mutant } from './list-minus-one.ts'

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
  {
    id: 'any-tag-activates',
    defect: 'an activation is taken whatever its tag is',
    parts: withRules({ isSameTag: () => true }),
  },
  {
    id: 'another-tpm-takes-an-id',
    defect: 'an id goes to whichever TPM registered it last',
    parts: withRules({ isSameTpm: () => true }),
  },
  {
    id: 'ek-not-certified',
    defect: 'the EK need not be the key of the EK certificate',
    parts: withRules({ isCertified: () => true }),
  },
  {
    id: 'challenge-repeated',
    defect: 'every registration has the same challenge',
    parts: { random: { ...systemRandom, bytes: (count) => new Uint8Array(count) } },
  },
]
