/** A runtime policy, read and checked. */
export interface RuntimePolicy {
  /** path -> allowed digests in lower-case hex */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>
  /** ima-buf name -> allowed digests in lower-case hex */
  readonly imaBuf: ReadonlyMap<string, ReadonlySet<string>>
  readonly keyrings: ReadonlyMap<string, ReadonlySet<string>>
  readonly ignoredKeyrings: ReadonlySet<string>
  readonly logHashAlg: string
  /** whether a path is excluded from judgement */
  excludes(path: string): boolean
}

/**
 * Reads a runtime policy document (its JSON text).
 *
 * @throws {PolicyError} naming the JSON path of the member that is not allowed
 */
export function parseRuntimePolicy(_text: string): RuntimePolicy {
  throw new Error('not written yet')
}
