/** What can be fuzzed, as the command names it, and what each kind bends. */
export const FUZZ_KINDS = {
  quote: 'TPMS_ATTEST and the text it travels in',
  signature: 'TPMT_SIGNATURE and the key that it is to verify with',
  pcrs: 'PCR values, their selection and their blob',
  imalog: 'the measurement list',
  policy: 'runtime policy and tpm_policy',
  registration: 'what an agent says of itself to the registrar',
} as const

export type FuzzKind = keyof typeof FUZZ_KINDS

export const KIND_NAMES = Object.keys(FUZZ_KINDS) as readonly FuzzKind[]
