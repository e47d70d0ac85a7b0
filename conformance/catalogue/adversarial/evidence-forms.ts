import type { Dialect, DialectKey } from '../../dialects/dialect.ts'

/** Optional forms of evidence that not every deployment supports. */
export type EvidenceForm =
  | 'rsapss'
  | 'several-banks'
  | 'ima-pcr-alone'
  | 'rare-template'
  | 'name-of-lines'
  | 'signing-keys'
  | 'sha1-log'

/** The dialect key that governs a form, and the value under which the form is supported. */
const READ_UNDER: Readonly<Record<EvidenceForm, readonly [DialectKey, string]>> = {
  rsapss: ['rsa-signatures', 'rsassa-or-rsapss'],
  'several-banks': ['quoted-banks', 'several'],
  'ima-pcr-alone': ['quoted-ima-pcr', 'alone'],
  'rare-template': ['ima-templates', 'every'],
  'name-of-lines': ['ima-names', 'any'],
  'signing-keys': ['runtime-policy-keys', 'read'],
  'sha1-log': ['boot-log-formats', 'every'],
}

/**
 * Returns why the dialect does not support these forms (`quoted-banks of the dialect is one`); undefined if it
 * supports all.
 */
export function whyUnread(forms: readonly EvidenceForm[], dialect: Dialect): string | undefined {
  const keys = forms.map((form) => READ_UNDER[form])
  const [key] = keys.find(([one, value]) => dialect[one] !== value) ?? []
  return key && `${key} of the dialect is ${dialect[key]}`
}
