/** One point where deployments encode the same meaning differently. */
export interface DialectKeyRow {
  readonly about: string
  readonly values: readonly string[]
  /** The form in the interface document, or the more literal of its two readings. */
  readonly document: string
  /** The form that Keylime agents and tenants send and its servers accept. */
  readonly keylime: string
  /** Lines of the interface document about it. */
  readonly lines: readonly number[]
  /** Row of the ambiguity table. */
  readonly ambiguity?: string
}
