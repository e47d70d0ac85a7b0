import type { FaultCode } from '../input/fault-codes.ts'

/** Fault: no verdict could be trusted, so no scenario runs. Warning: the run goes on. */
type Severity = 'fault' | 'warning'

/** The finding of one step. */
export interface Finding {
  /** The code of the problem; if ok, the first code that the check reports. */
  readonly code: FaultCode
  /** A short name such as `verifier answers`. */
  readonly what: string
  readonly ok: boolean
  /** Absent if ok. */
  readonly severity?: Severity
  /** One sentence: the observed facts. */
  readonly detail: string
  /** The step that resolves it, without a trailing full stop; absent if ok. */
  readonly next?: string
  readonly ms: number
}

/** A check that was skipped because of an earlier fault. */
export interface NotMade {
  readonly check: string
  readonly why: string
}

/** The findings for one target; `assay doctor --json` prints this object. */
export interface DoctorReport {
  readonly schema: 'assay.doctor/1'
  /** The path of the target file as given. */
  readonly target: string
  /** The name in the target file; absent if the file could not be read. */
  readonly name?: string
  /** False if a finding is a fault. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly not_made: readonly NotMade[]
}
