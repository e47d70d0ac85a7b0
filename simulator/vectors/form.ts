/**
 * The format of adversarial evidence: both sides read this data from `fixtures/adversarial/` without a common
 * import.
 */

/** JSON as written in a fixture. */
export type Json = LongText | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json | LongText
}

/**
 * A string in parts: `$repeat` means `count` times the same, `$concat` the concatenation of its parts. A reader
 * expands both, and `$json`, a JSON text that is parsed on reading: it can contain a key twice.
 */
export type LongText =
  | string
  | { readonly $repeat: string; readonly count: number }
  | { readonly $concat: readonly LongText[] }

/** Evidence of one request; a variant may replace any member by any value. */
export interface Evidence {
  /** TPM2B_PUBLIC in base64. */
  readonly attestation_key: Json
  readonly nonce: Json
  /** Bank of the quoted values, and hash of the signature. */
  readonly hash_alg: Json
  /** `r<message>:<signature>:<pcrs>` */
  readonly quote?: Json
  /** The same as a push agent sends it, base64 except `subject_data`. */
  readonly push?: Json
  readonly tpm_policy?: Json
  /**
   * Clock of the previous cycle, for a verifier that has a history of the machine: `clock` in milliseconds, as a
   * string.
   */
  readonly previous_clock?: Json
  readonly ima?: Json
  readonly runtime_policy?: Json
  /** The firmware log in base64, and the reference state for it. */
  readonly boot_log?: Json
  readonly boot_policy?: Json
}

const OUTCOMES = [
  'malformed',
  'broken_evidence_chain',
  'policy_violation',
  'pass',
  'either',
] as const
type Outcome = (typeof OUTCOMES)[number]

/** Evidence that differs from a baseline in one place. */
export interface Variant {
  /** Number in the list of adversarial inputs: 1 to 107. */
  readonly case: number
  readonly id: string
  /** The difference, in one sentence. */
  readonly what: string
  /** Name of the baseline, which passes. */
  readonly of: string
  /** Members that replace those of the baseline; with several changes, each is one input with the same outcome. */
  readonly change: JsonObject | readonly JsonObject[]
  readonly outcome: Outcome
  /** Dotted type of the failure, and the checks that report it in the reference; other subjects need not use them. */
  readonly type?: string
  readonly checks?: readonly string[]
}

/** One file below `fixtures/adversarial/`. */
export interface Section<Baseline = Evidence, Changed = Variant> {
  /** Heading of the list: `E.2`. */
  readonly section: string
  readonly baselines: Readonly<Record<string, Baseline>>
  readonly variants: readonly Changed[]
}

/** Returns the text of a section's file, with one baseline or variant per line for readable diffs. */
export function presentSection({
  section,
  baselines,
  variants,
}: Section<unknown, unknown>): string {
  const lines = (items: readonly string[]) => items.map((item) => `    ${item}`).join(',\n')
  const named = Object.entries(baselines).map(
    ([name, baseline]) => `${JSON.stringify(name)}: ${JSON.stringify(baseline)}`,
  )
  return [
    '{',
    `  "section": ${JSON.stringify(section)},`,
    `  "baselines": {\n${lines(named)}\n  },`,
    `  "variants": [\n${lines(variants.map((variant) => JSON.stringify(variant)))}\n  ]`,
    '}\n',
  ].join('\n')
}
