/** So many characters of a value are looked for first: most texts hold none, and most runs know hundreds of values. */
const BEGINNING = 8

/** Values that must not stand in a report, and what stands there instead. */
export class KnownValues {
  readonly #names = new Map<string, string>()
  readonly #beginnings = new Set<string>()
  #hasShort = false
  #longestFirst: readonly string[] | undefined

  add(value: string, name: string): void {
    this.#names.set(value, name)
    if (value.length < BEGINNING) this.#hasShort = true
    else this.#beginnings.add(value.slice(0, BEGINNING))
    this.#longestFirst = undefined
  }

  /** The text with every value replaced; the longest first, so that one inside another is named by the longer. */
  replaceIn(text: string): string {
    if (!this.#mayHold(text)) return text
    this.#longestFirst ??= [...this.#names.keys()].toSorted(
      (one, other) => other.length - one.length,
    )
    return this.#longestFirst.reduce(
      (clean, value) => clean.replaceAll(value, this.#names.get(value) ?? ''),
      text,
    )
  }

  /** A long text is searched for one value after the other sooner than read at each of its characters. */
  #mayHold(text: string): boolean {
    if (this.#hasShort || text.length > this.#names.size) return this.#names.size > 0
    for (let at = 0; at < text.length; at += 1) {
      if (this.#beginnings.has(text.slice(at, at + BEGINNING))) return true
    }
    return false
  }
}
