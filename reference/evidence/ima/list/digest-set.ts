/** Digests in lower-case hexadecimal. */
export interface DigestSet extends Iterable<string> {
  has(digest: string): boolean
}

/** name -> its digests */
export type DigestTable = ReadonlyMap<string, DigestSet>

/** Most paths of a policy have one digest, for which a set would be eight times as large and slower to ask. */
class OneDigest implements DigestSet {
  readonly digest: string

  constructor(digest: string) {
    this.digest = digest
  }

  has(digest: string): boolean {
    return digest === this.digest
  }

  [Symbol.iterator](): Iterator<string> {
    return [this.digest][Symbol.iterator]()
  }
}

/** The least that holds these digests. */
export function digestSet(digests: readonly string[]): DigestSet {
  const [only] = digests
  return only !== undefined && digests.length === 1 ? new OneDigest(only) : new Set(digests)
}
