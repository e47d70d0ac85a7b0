import { curveById } from './algorithms.ts'
import type { PublicArea } from './public.ts'

/** The meaning of the generic names since lengths are part of the name (interface document, API 2.5). */
const GENERIC: ReadonlyMap<string, string> = new Map([
  ['rsa', 'rsa2048'],
  ['ecc', 'ecc256'],
])

/** `rsa2048`, `ecc256` …: a key's algorithm as `enc_alg` spells it since API 2.5; `ecc` on a curve that is not known. */
export function keyAlgorithm({ parameters }: PublicArea): string {
  if (parameters.kind === 'rsa') return `rsa${parameters.value.keyBits}`
  return `ecc${curveById(parameters.value.curveID)?.name.replace(/\D+/g, '') ?? ''}`
}

/** Whether a list of `enc_alg` names has the algorithm of a key, by its own name or the generic one for it. */
export function acceptsKey(accepted: readonly string[], area: PublicArea): boolean {
  return acceptsName(accepted, keyAlgorithm(area))
}

/** The same of a name, which may be a generic one too. In a list `ecc*` and `rsa*` stand for keys of any length. */
export function acceptsName(accepted: readonly string[], algorithm: string): boolean {
  const full = (name: string): string => GENERIC.get(name) ?? name
  const ofAnyLength = accepted.filter((name) => name.endsWith('*'))
  if (ofAnyLength.some((name) => algorithm.startsWith(name.slice(0, -1)))) return true
  return accepted.some((name) => full(name) === full(algorithm))
}
