/** What a result says of requirements and of matrices; members are snake_case, as in the published JSON. */

/**
 * - `fixed`: a check that does not hold fails.
 * - `either`: the document can be read in several ways, and each reading is written down. A check that meets one of them
 *   holds; one that meets none fails.
 * - `silent`: the document says nothing; a check that does not hold warns.
 */
export const STRENGTHS = ['fixed', 'either', 'silent'] as const
export type Strength = (typeof STRENGTHS)[number]

export interface RequirementResult {
  readonly id: string
  readonly component: string
  /** Version ranges: `2.1-2.5`, `3.0`. */
  readonly versions: string
  /** Lines of the interface document. */
  readonly lines: readonly number[]
  readonly says: string
  readonly strength: Strength | 'two-readings'
  /** What fixes a `fixed` row where the document does not: `safety`, or a specification with its clause. */
  readonly fixed_by?: string
  /** The readings of an ambiguous requirement that checks of this run met. */
  readonly readings?: readonly string[]
  /** How the statement can be tested: `wire`, `config`, `clock`; absent if the catalogue does not say. */
  readonly judged?: string
  /** Why no check of a default run covers it. */
  readonly excluded?: string
  /** The requirements whose checks judge it; `by_version` is the worst of theirs. */
  readonly judged_by?: readonly string[]
  /** True when a violation is a weakness, not only a difference. */
  readonly security?: boolean
  /** Per API version: `pass` if its checks all held, `fail` if one did not, absent without a check. */
  readonly by_version: Readonly<Record<string, 'pass' | 'fail'>>
}

/** How much of a matrix was executed, and what did not hold. */
export interface MatrixResult {
  readonly name: string
  /** Cells that exist under the tested versions. */
  readonly defined: number
  /** Cells that a check covers. */
  readonly executed: number
  /** Cells with a check that did not hold, excused or not. */
  readonly red: readonly string[]
}
