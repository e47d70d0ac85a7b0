/** PCR number -> allowed values in lower-case hex; digests of several banks may stand side by side. */
export interface TpmPolicy {
  readonly allowed: ReadonlyMap<number, readonly string[]>
  /** PCRs that the quote must cover, from `mask`; empty when the text has none */
  readonly mask: readonly number[]
}

/**
 * Reads the `tpm_policy` text of an agent record.
 *
 * @throws {PolicyError} naming the JSON path of the member that is not allowed
 */
export function parseTpmPolicy(_text: string): TpmPolicy {
  throw new Error('not written yet')
}
