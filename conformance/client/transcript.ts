import type { TranscriptEntry } from '../report/result.ts'

/** Longer bodies are floods: what a report shows of them is their beginning. */
const LONGEST_BODY = 256 * 1024
const BEGINNING = 1024

/** A body as a report keeps it: whole, unless it is longer than any message. */
export function recordable(body: string): string {
  if (body.length <= LONGEST_BODY) return body
  return `${body.slice(0, BEGINNING)}… (${body.length} characters)`
}

/** Everything that was said in one scenario, in the order in which it was said. */
export class Transcript {
  readonly entries: TranscriptEntry[] = []
  readonly #began: number

  constructor(now: () => number) {
    this.#began = now()
    this.#now = now
  }

  readonly #now: () => number

  /** Milliseconds since the scenario began. */
  elapsed(): number {
    return Math.round((this.#now() - this.#began) * 10) / 10
  }

  /** Records an entry and returns its index. */
  add(entry: TranscriptEntry): number {
    return this.entries.push(entry) - 1
  }

  note(text: string): void {
    this.add({ lane: 'note', at_ms: this.elapsed(), text })
  }

  /** Index of the last exchange on the wire; -1 when there was none. */
  lastExchange(): number {
    return this.entries.findLastIndex(({ lane }) => lane === 'wire')
  }
}
