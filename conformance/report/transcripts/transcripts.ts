import type { Outcome, ScenarioResult, TranscriptEntry } from '../result.ts'

/** Which transcripts a run keeps: none, those of every outcome except `pass`, or all. */
export type WhichTranscripts = 'none' | 'notable' | 'all'

/** A scenario under one version. */
export type TranscriptOwner = Pick<ScenarioResult, 'id' | 'version'>

/** One line of `transcripts.jsonl.gz`. */
export interface KeptTranscript extends TranscriptOwner {
  readonly transcript: readonly TranscriptEntry[]
}

/** The transcripts that a run keeps. */
export class Transcripts {
  readonly #which: WhichTranscripts
  readonly #kept = new Map<string, KeptTranscript>()

  constructor(which: WhichTranscripts) {
    this.#which = which
  }

  /** Whether the transcript of a scenario with this outcome is kept. */
  wants(outcome: Outcome): boolean {
    if (this.#which === 'none') return false
    return this.#which === 'all' || outcome !== 'pass'
  }

  keep({ id, version }: TranscriptOwner, transcript: readonly TranscriptEntry[]): void {
    this.#kept.set(keyOf({ id, version }), { id, version, transcript })
  }

  /** The entries of a scenario; empty if its transcript was not kept. */
  of(owner: TranscriptOwner): readonly TranscriptEntry[] {
    return this.#kept.get(keyOf(owner))?.transcript ?? []
  }

  all(): Iterable<KeptTranscript> {
    return this.#kept.values()
  }
}

function keyOf({ id, version }: TranscriptOwner): string {
  return JSON.stringify([id, version])
}
