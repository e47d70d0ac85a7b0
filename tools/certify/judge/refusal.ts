import type { RunResult } from '../../../conformance/report/result.ts'

/** Why there is no certificate: one sentence, and what to do next. */
export interface Refusal {
  readonly says: string
  readonly next: string
}

/** One run of a kit. */
export interface KitRun {
  /** The path of its result in the kit. */
  readonly name: string
  readonly result: RunResult
}

export const ASK_AGAIN = 'ask for the kit again; a kit is valid only as it was signed'
export const RUN_AGAIN = 'run assay certify again'
