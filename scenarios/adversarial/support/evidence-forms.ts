import type { Dialect, DialectKey } from '../../../conformance/dialects/dialect.ts'

/** What evidence can be like that not every deployment reads. */
export type EvidenceForm =
  | 'rsapss'
  | 'several-banks'
  | 'ima-pcr-alone'
  | 'rare-template'
  | 'name-of-lines'
  | 'signing-keys'

/** The key of a dialect that speaks of a form, and the value under which it is read. */
const READ_UNDER: Readonly<Record<EvidenceForm, readonly [DialectKey, string]>> = {
  rsapss: ['rsa-signatures', 'rsassa-or-rsapss'],
  'several-banks': ['quoted-banks', 'several'],
  'ima-pcr-alone': ['quoted-ima-pcr', 'alone'],
  'rare-template': ['ima-templates', 'every'],
  'name-of-lines': ['ima-names', 'any'],
  'signing-keys': ['runtime-policy-keys', 'read'],
}

/** Why evidence in these forms has no reader in the dialect, `quoted-banks of the dialect is one`; undefined where it has. */
export function whyUnread(forms: readonly EvidenceForm[], dialect: Dialect): string | undefined {
  const keys = forms.map((form) => READ_UNDER[form])
  const [key] = keys.find(([one, value]) => dialect[one] !== value) ?? []
  return key && `${key} of the dialect is ${dialect[key]}`
}
