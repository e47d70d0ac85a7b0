export const VECTORS_SCHEMA = 'assay.vectors/1'

/** What an implementation has to say of evidence; `either` where the interface document leaves it open. */
export const EXPECTED = ['valid', 'invalid', 'either'] as const
export type Expected = (typeof EXPECTED)[number]

/** What is assumed by an implementation that accepts the evidence, and by one that rejects it. */
export interface Readings {
  readonly valid: string
  readonly invalid: string
}

/** Members of the body that say what is allowed. */
export const POLICIES = ['tpm_policy', 'runtime_policy', 'mb_policy'] as const
export type Policy = (typeof POLICIES)[number]

/** The body of POST verify/evidence. */
export type Body = Readonly<Record<string, unknown>>

/** One piece of evidence with its expected verdict. Members are snake_case because this is the published JSON. */
export interface Vector {
  readonly id: string
  /** What was changed in the baseline, in words; of a baseline, what it is. */
  readonly comment: string
  /** Id of the valid vector that it is compared with; absent for a baseline. */
  readonly baseline?: string
  /** Key of the group's `flaws`; absent for a baseline. */
  readonly flaw?: string
  /** Ids of rows of the catalogue; keys of the group's `requirements`. */
  readonly requirements: readonly string[]
  readonly expected: Expected
  /** Why it is invalid, if only one reason is right. */
  readonly reason?: 'malformed' | 'broken_evidence_chain' | 'policy_violation'
  /** The policy without which it would be valid; absent for evidence that is invalid under any policy. */
  readonly policy?: Policy
  /** Both of them are right where `expected` is `either`. */
  readonly readings?: Readings
  readonly body: Body
}

/** Vectors of one part of the evidence. */
export interface VectorGroup {
  readonly schema: typeof VECTORS_SCHEMA
  /** What made the file. */
  readonly source: { readonly name: 'assay'; readonly version: string }
  readonly group: string
  readonly title: string
  readonly vector_count: number
  readonly flaws: Readonly<Record<string, string>>
  readonly requirements: Readonly<Record<string, string>>
  readonly vectors: readonly Vector[]
}
