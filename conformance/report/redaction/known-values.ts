/** Length of the prefix that is searched first: most texts contain none, and most runs have hundreds of values. */
const BEGINNING = 8

/** A flag per hash of a value's prefix, so that one pass over a text suffices. */
const FINGERPRINTS = 1 << 16

/** Values that must not be in a report, and their replacements: the newest `most` of them. */
export class KnownValues {
  readonly #most: number
  readonly #names = new Map<string, string>()
  readonly #short: string[] = []
  readonly #byBeginning = new Map<string, string[]>()
  readonly #marks = new Uint8Array(FINGERPRINTS)

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  add(value: string, name: string): void {
    const isNew = !this.#names.has(value)
    this.#names.set(value, name)
    if (!isNew) return
    this.#groupOf(value).push(value)
    const [oldest] = this.#names.keys()
    if (this.#names.size > this.#most && oldest !== undefined) this.#remove(oldest)
  }

  /** The text with every value replaced; longest first, so that a value inside another is replaced with it. */
  replaceIn(text: string): string {
    const candidates = this.#candidates(text)
    return candidates
      .filter((value) => text.includes(value))
      .toSorted((one, other) => other.length - one.length)
      .reduce((clean, value) => clean.replaceAll(value, this.#names.get(value) ?? ''), text)
  }

  #remove(value: string): void {
    this.#names.delete(value)
    const group = this.#groupOf(value)
    group.splice(group.indexOf(value), 1)
  }

  /** The values with the same beginning, or the short ones. */
  #groupOf(value: string): string[] {
    if (value.length < BEGINNING) return this.#short
    const beginning = value.slice(0, BEGINNING)
    const group = this.#byBeginning.get(beginning) ?? []
    this.#byBeginning.set(beginning, group)
    this.#marks[fingerprint(beginning)] = 1
    return group
  }

  /** Values that may be in the text: short ones, and those whose prefix is. */
  #candidates(text: string): readonly string[] {
    const begun = new Set<string>()
    let seen = 0
    for (let at = 0; at < text.length; at += 1) {
      seen = next(seen, text.charCodeAt(at))
      if (this.#marks[seen] === 0) continue
      const beginning = text.slice(at - BEGINNING + 1, at + 1)
      if (this.#byBeginning.has(beginning)) begun.add(beginning)
    }
    const found = [...begun].flatMap((beginning) => this.#byBeginning.get(beginning) ?? [])
    return [...this.#short, ...found]
  }
}

/** Hash of the last eight characters: earlier ones are shifted out. */
function next(seen: number, character: number): number {
  return ((seen << 2) ^ (character * 0x9e5)) & (FINGERPRINTS - 1)
}

function fingerprint(beginning: string): number {
  let seen = 0
  for (let at = 0; at < beginning.length; at += 1) seen = next(seen, beginning.charCodeAt(at))
  return seen
}
