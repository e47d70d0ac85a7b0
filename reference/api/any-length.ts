import { type ApiVersion, isWithin } from './versions.ts'

/** Since 2.5 the name of a key algorithm has a length; a generic name stands for one of them (interface document, "Changelog"). */
const WITHOUT_LENGTHS = { since: '1.0', until: '2.4' } as const

/** The lengths of `enc_alg` (interface document, "Pull-mode agent resources"). */
const LENGTHS: Readonly<Record<string, readonly string[]>> = {
  'rsa*': ['rsa1024', 'rsa2048', 'rsa3072', 'rsa4096'],
  'ecc*': ['ecc192', 'ecc224', 'ecc256', 'ecc384', 'ecc521', 'ecc_sm2'],
}

/**
 * Accepted key algorithms, as they were sent under a version. Up to 2.4 `rsa` and `ecc` are the only names, for keys of
 * any length; they are kept as `rsa*` and `ecc*`, as since 2.5 they mean `rsa2048` and `ecc256`.
 */
export function withAnyLength(names: readonly string[], version: ApiVersion): readonly string[] {
  if (!isWithin(version, WITHOUT_LENGTHS)) return names
  return names.map((name) => (Object.hasOwn(LENGTHS, `${name}*`) ? `${name}*` : name))
}

/** The same as they are shown up to 2.4: as they were sent. */
export function genericNames(names: readonly string[]): readonly string[] {
  return names.map((name) => name.replace(/[*]$/, ''))
}

/** The same as they are shown since 2.5: a name for each length. */
export function explicitNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => LENGTHS[name] ?? [name]))]
}
