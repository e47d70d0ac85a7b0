import { expect, test } from 'vitest'
import { KEYS } from '../../../dev/testing/certificates/recorded-keys.ts'
import { testVerifier } from '../../../dev/testing/verifier/test-verifier.ts'
import { ApiError } from '../../../errors.ts'
import {
  type AdversarialEvidence,
  adversarialFiles,
  adversarialSection,
  inputsOf,
} from '../../../evidence/testing/adversarial-fixtures.ts'

const sections = adversarialFiles(/^e[1234]-/).map(adversarialSection)
const variants = sections.flatMap((section) =>
  section.variants
    .map((variant) => [variant.id, variant, inputsOf(section, variant)] as const)
    .filter(([, , inputs]) => inputs.every(travels)),
)

/** The parts of a case that fit into one call without an agent record. */
function travels({ quote, previous_clock }: AdversarialEvidence): boolean {
  return quote !== undefined && previous_clock === undefined
}

interface ImaMember {
  readonly entries: string
}

function textOf({ entries }: ImaMember): string {
  return Buffer.from(entries, 'base64').toString()
}

/** The endpoint's own way from a body to a verdict; a refused request is not valid either. */
async function isValid(evidence: AdversarialEvidence): Promise<boolean> {
  const { attestation_key, tpm_policy = {}, ima, runtime_policy, ...members } = evidence
  const request = {
    tpm_ak: attestation_key,
    tpm_ek: KEYS.ek,
    tpm_policy: JSON.stringify(tpm_policy),
    ...(ima !== undefined && { ima_measurement_list: textOf(ima as ImaMember) }),
    ...(runtime_policy !== undefined && { runtime_policy: JSON.stringify(runtime_policy) }),
  }
  const verifier = await testVerifier()
  try {
    const { body } = await verifier.ask('verify-evidence', {}, { ...members, ...request })
    return (body as { readonly valid: boolean }).valid
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_request') return false
    throw error
  }
}

test.each(variants)('%s through the endpoint', async (_id, { outcome }, inputs) => {
  for (const input of inputs) {
    const valid = await isValid(input)
    if (outcome === 'either') expect(await isValid(input)).toBe(valid)
    else expect(valid).toBe(outcome === 'pass')
  }
})
