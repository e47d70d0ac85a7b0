import { readdirSync, readFileSync } from 'node:fs'

/** Evidence of `fixtures/adversarial/`; a defect may have put any value in place of a member. */
export interface AdversarialEvidence {
  readonly attestation_key: unknown
  readonly nonce: unknown
  readonly hash_alg: unknown
  readonly quote?: unknown
  readonly push?: unknown
  readonly tpm_policy?: unknown
  /** clock of the last cycle: numbers, `clock` as a text */
  readonly previous_clock?: unknown
  readonly ima?: unknown
  readonly runtime_policy?: unknown
  readonly boot_log?: unknown
  readonly boot_policy?: unknown
}

type Change = Partial<AdversarialEvidence>

/** One line of a fixture: a baseline mutated in one place, and the expected outcome. */
export interface AdversarialVariant {
  readonly case: number
  readonly id: string
  readonly what: string
  readonly of: string
  readonly change: Change | readonly Change[]
  readonly outcome: 'malformed' | 'broken_evidence_chain' | 'policy_violation' | 'pass' | 'either'
  readonly type?: string
  readonly checks?: readonly string[]
}

export interface AdversarialSection {
  readonly section: string
  readonly baselines: Readonly<Record<string, AdversarialEvidence>>
  readonly variants: readonly AdversarialVariant[]
}

const FOLDER = new URL('../../../fixtures/adversarial/', import.meta.url)

/** Names of the files of adversarial evidence: those of quotes and lists of these sections. */
export function adversarialFiles(sections: RegExp): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => sections.test(name))
    .sort()
}

/** One file, long texts written out. */
export function adversarialSection(file: string): AdversarialSection {
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  return JSON.parse(text, (_, value: unknown) => writtenOut(value)) as AdversarialSection
}

/** `$repeat`, `$concat` and `$json` in full; the reviver sees inner values first, so parts are texts already. */
function writtenOut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$repeat' in value && 'count' in value)
    return String(value.$repeat).repeat(Number(value.count))
  if ('$json' in value) return JSON.parse(String(value.$json))
  if ('$concat' in value) return (value.$concat as readonly string[]).join('')
  return value
}

/** Each input of a variant: the baseline with that change. */
export function inputsOf(
  { baselines }: AdversarialSection,
  { of, change }: AdversarialVariant,
): readonly AdversarialEvidence[] {
  const baseline = baselines[of]
  if (baseline === undefined) throw new Error(`there is no baseline ${of}`)
  return [change].flat().map((one) => ({ ...baseline, ...one }))
}
