import type { FaultCode } from '../input/fault-codes.ts'

/** Fault: no verdict could be trusted, so nothing is judged. Warning: the run goes on, and shows what comes of it. */
export type Severity = 'fault' | 'warning'

/** What one look at a deployment found. */
export interface Finding {
  /** Of the problem that was found or, when there is none, of the first that the check looks for. */
  readonly code: FaultCode
  /** In a few words, e.g. `verifier answers`. */
  readonly what: string
  readonly ok: boolean
  /** Absent when ok. */
  readonly severity?: Severity
  /** One sentence: what was seen. */
  readonly detail: string
  /** The one step that mends it, without a trailing full stop; absent when ok. */
  readonly next?: string
  readonly ms: number
}

/** A check that was not made, because an earlier one found a fault. */
export interface NotMade {
  readonly check: string
  readonly why: string
}

/** Everything that one look over a target found; `assay doctor --json` prints it as it is. */
export interface DoctorReport {
  readonly schema: 'assay.doctor/1'
  /** The target file, as the person named it. */
  readonly target: string
  /** The name that the target file gives; absent when the file could not be read. */
  readonly name?: string
  /** False as soon as one finding is a fault. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly not_made: readonly NotMade[]
}
