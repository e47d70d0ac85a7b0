/**
 * The form of adversarial evidence: data that both sides read from `fixtures/adversarial/`, and neither imports.
 */

/** JSON as it stands in a fixture. */
export type Json = LongText | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json | LongText
}

/** A text in parts: `$repeat` stands for `count` times the same, `$concat` for its parts joined. A reader expands
 * both, and `$json`, a JSON text that stands for what it is read as: it can hold a key twice. */
export type LongText =
  | string
  | { readonly $repeat: string; readonly count: number }
  | { readonly $concat: readonly LongText[] }

/** What one request brings; every member is a defect's to replace with anything. */
export interface Evidence {
  /** TPM2B_PUBLIC in base64. */
  readonly attestation_key: Json
  readonly nonce: Json
  /** Bank of the quoted values, and hash of the signature. */
  readonly hash_alg: Json
  /** `r<message>:<signature>:<pcrs>` */
  readonly quote?: Json
  /** The same as a push agent sends it, base64 but for `subject_data`. */
  readonly push?: Json
  readonly tpm_policy?: Json
  /** Clock of the cycle before, for a verifier that knows the machine: `clock` in milliseconds, as a text. */
  readonly previous_clock?: Json
  readonly ima?: Json
  readonly runtime_policy?: Json
  /** The firmware log in base64, and the reference state it is judged by. */
  readonly boot_log?: Json
  readonly boot_policy?: Json
}

export const OUTCOMES = [
  'malformed',
  'broken_evidence_chain',
  'policy_violation',
  'pass',
  'either',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** One piece of evidence that differs from a golden in one place. */
export interface Variant {
  /** Number in the list of adversarial inputs: 1 to 107. */
  readonly case: number
  readonly id: string
  /** What is different, in one sentence. */
  readonly what: string
  /** Name of the golden, which passes. */
  readonly of: string
  /** Members in place of the golden's; with several changes each is one input and all end alike. */
  readonly change: JsonObject | readonly JsonObject[]
  readonly outcome: Outcome
  /** Dotted type of the failure, and the checks that report it, in our own reference; nobody else is held to them. */
  readonly type?: string
  readonly checks?: readonly string[]
}

/** One file below `fixtures/adversarial/`. */
export interface Section<Baseline = Evidence, Changed = Variant> {
  /** Heading of the list: `E.2`. */
  readonly section: string
  readonly goldens: Readonly<Record<string, Baseline>>
  readonly variants: readonly Changed[]
}

/** The text of a section's file: a golden or a variant to a line, so that a change shows as one. */
export function presentSection({ section, goldens, variants }: Section<unknown, unknown>): string {
  const lines = (items: readonly string[]) => items.map((item) => `    ${item}`).join(',\n')
  const named = Object.entries(goldens).map(
    ([name, baseline]) => `${JSON.stringify(name)}: ${JSON.stringify(baseline)}`,
  )
  return [
    '{',
    `  "section": ${JSON.stringify(section)},`,
    `  "goldens": {\n${lines(named)}\n  },`,
    `  "variants": [\n${lines(variants.map((variant) => JSON.stringify(variant)))}\n  ]`,
    '}\n',
  ].join('\n')
}
