/** What can be fuzzed, as the command names it, and what each kind mutates. */
export const FUZZ_KINDS = {
  quote: 'TPMS_ATTEST and the text it travels in',
  signature: 'TPMT_SIGNATURE and the key that it is to verify with',
  pcrs: 'PCR values, their selection and their blob',
  imalog: 'the measurement list',
  policy: 'runtime policy and tpm_policy',
  eventlog: 'the firmware log, and what the firmware measured',
  bootpolicy: 'the measured boot reference state',
  sequence:
    'evidence after other evidence of the machine: under another policy, after a boot, over another nonce',
  ekcert: 'the EK certificate that an agent shows to the registrar',
  registration: 'what an agent says of itself to the registrar',
} as const

export type FuzzKind = keyof typeof FUZZ_KINDS

/** The kinds that go to the registrar, which takes no evidence. */
const REGISTRATION_KINDS = ['ekcert', 'registration'] as const satisfies readonly FuzzKind[]

export type RegistrationKind = (typeof REGISTRATION_KINDS)[number]

export function isOfRegistrar(kind: FuzzKind): kind is RegistrationKind {
  return REGISTRATION_KINDS.some((one) => one === kind)
}

/** The kinds that mutate how a machine booted, or what is asked of that. */
export const BOOT_KINDS: ReadonlySet<FuzzKind> = new Set(['eventlog', 'bootpolicy', 'sequence'])

export const KIND_NAMES = Object.keys(FUZZ_KINDS) as readonly FuzzKind[]
