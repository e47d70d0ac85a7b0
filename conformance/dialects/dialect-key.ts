/** One place in which deployments that mean the same write it differently. */
export interface DialectKeyRow {
  readonly about: string
  readonly values: readonly string[]
  /** What the interface document prints, or the more literal of its two readings. */
  readonly document: string
  /** What agents and tenants of Keylime send, and what its servers answer to. */
  readonly keylime: string
  /** Lines of the interface document that speak of it. */
  readonly lines: readonly number[]
  /** Row of the ambiguity table. */
  readonly ambiguity?: string
}
