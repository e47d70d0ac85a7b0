import { createHash } from 'node:crypto'
import type { TpmState } from '../../../simulator/swtpm/process.ts'
import type { Outcome, ScenarioResult } from '../result.ts'
import type { TranscriptEntry } from './transcript-entry.ts'

/** Which transcripts a run keeps: none, those of every outcome except `pass`, or all. */
export type WhichTranscripts = 'none' | 'notable' | 'all'

/** A scenario under one version. */
export type TranscriptOwner = Pick<ScenarioResult, 'id' | 'version'>

/** One line of `transcripts.jsonl.gz`. */
export interface KeptTranscript extends TranscriptOwner {
  readonly transcript: readonly TranscriptEntry[]
  /** Ids of the states in which its virtual TPMs began, in the order of its machines; absent without any. */
  readonly tpms?: readonly string[]
}

/** The states of the TPMs of one scenario in an earlier run, in the order of its machines. */
export interface RecordedTpms extends TranscriptOwner {
  readonly states: readonly TpmState[]
}

/** One line of `tpm-states.jsonl.gz`: the files of a virtual TPM, in base64. */
export interface KeptTpmState extends Readonly<Record<keyof TpmState, string>> {
  /** SHA-256 of the files, in hex. */
  readonly id: string
}

/** The transcripts that a run keeps. */
export class Transcripts {
  readonly #which: WhichTranscripts
  readonly #kept = new Map<string, KeptTranscript>()
  /** By object, since many scenarios use the same TPM. */
  readonly #states = new Map<TpmState | KeptTpmState, KeptTpmState>()

  constructor(which: WhichTranscripts) {
    this.#which = which
  }

  /** Whether the transcript of a scenario with this outcome is kept. */
  wants(outcome: Outcome): boolean {
    if (this.#which === 'none') return false
    return this.#which === 'all' || outcome !== 'pass'
  }

  keep(
    { id, version }: TranscriptOwner,
    transcript: readonly TranscriptEntry[],
    states: readonly TpmState[] = [],
  ): void {
    const tpms = states.map((state) => this.#keepState(state))
    const kept = { id, version, transcript, ...(tpms.length > 0 && { tpms }) }
    this.#kept.set(keyOf({ id, version }), kept)
  }

  /** Takes over what another run kept. */
  adopt(transcripts: readonly KeptTranscript[], states: readonly KeptTpmState[]): void {
    for (const kept of transcripts) this.#kept.set(keyOf(kept), kept)
    for (const state of states) this.#states.set(state, state)
  }

  /** The entries of a scenario; empty if its transcript was not kept. */
  of(owner: TranscriptOwner): readonly TranscriptEntry[] {
    return this.#kept.get(keyOf(owner))?.transcript ?? []
  }

  all(): Iterable<KeptTranscript> {
    return this.#kept.values()
  }

  states(): Iterable<KeptTpmState> {
    return this.#states.values()
  }

  #keepState(state: TpmState): string {
    const { permanent, volatile } = state
    const known = this.#states.get(state)
    if (known !== undefined) return known.id
    const id = createHash('sha256').update(permanent).update(volatile).digest('hex')
    const files = { permanent: base64(permanent), volatile: base64(volatile) }
    this.#states.set(state, { id, ...files })
    return id
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function keyOf({ id, version }: TranscriptOwner): string {
  return JSON.stringify([id, version])
}
