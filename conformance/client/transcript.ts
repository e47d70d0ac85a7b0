import type { TpmState } from '../../simulator/swtpm/process.ts'
import type { TranscriptEntry } from '../report/transcripts/transcript-entry.ts'

/** Bodies above this limit are floods; reports show only their beginning. */
const LONGEST_BODY = 256 * 1024
const BEGINNING = 1024

/** The body for a report, shortened if it exceeds the limit. */
export function recordable(body: string): string {
  if (body.length <= LONGEST_BODY) return body
  return `${body.slice(0, BEGINNING)}… (${body.length} characters)`
}

/** All exchanges and notes of one scenario, in order. */
export class Transcript {
  readonly entries: TranscriptEntry[] = []
  /** The states in which the virtual TPMs of the scenario began, in the order of their machines. */
  readonly tpms: TpmState[] = []
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

  /** Adds an entry and returns its index. */
  add(entry: TranscriptEntry): number {
    return this.entries.push(entry) - 1
  }

  note(text: string): void {
    this.add({ lane: 'note', at_ms: this.elapsed(), text })
  }

  /** Index of the last exchange on the wire; -1 if there is none. */
  lastExchange(): number {
    return this.entries.findLastIndex(({ lane }) => lane === 'wire')
  }
}
