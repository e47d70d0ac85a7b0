/** Length of the prefix that is searched first: most texts contain none, and most runs have hundreds of values. */
const BEGINNING = 8

/** A flag per hash of a value's prefix, so that one pass over a text suffices. */
const FINGERPRINTS = 1 << 16

/** Values that must not be in a report, and their replacements. */
export class KnownValues {
  readonly #names = new Map<string, string>()
  readonly #short: string[] = []
  readonly #byBeginning = new Map<string, string[]>()
  readonly #marks = new Uint8Array(FINGERPRINTS)

  add(value: string, name: string): void {
    const isNew = !this.#names.has(value)
    this.#names.set(value, name)
    if (!isNew) return
    if (value.length < BEGINNING) this.#short.push(value)
    else this.#index(value)
  }

  /** The text with every value replaced; longest first, so that a value inside another is replaced with it. */
  replaceIn(text: string): string {
    const candidates = this.#candidates(text)
    return candidates
      .toSorted((one, other) => other.length - one.length)
      .reduce((clean, value) => clean.replaceAll(value, this.#names.get(value) ?? ''), text)
  }

  #index(value: string): void {
    const beginning = value.slice(0, BEGINNING)
    const group = this.#byBeginning.get(beginning)
    if (group !== undefined) group.push(value)
    else this.#byBeginning.set(beginning, [value])
    this.#marks[fingerprint(beginning)] = 1
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
