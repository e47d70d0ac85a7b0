import type { RequirementResult } from '../../conformance/report/requirement-result.ts'
import type { RunResult, ScenarioResult } from '../../conformance/report/result.ts'

/** `bundle.json`: what a bundle is about, and the SHA-256 of each of its other files. */
export interface Bundle
  extends Pick<RunResult, 'assay_version' | 'interface_sha256' | 'target' | 'seed' | 'started_at'> {
  readonly schema: 'assay.bundle/1'
  readonly scenario: ScenarioResult
  /** The requirements of the scenario. */
  readonly requirements: readonly RequirementResult[]
  /** The files of each virtual TPM, in the order of the scenario's machines. */
  readonly tpms: readonly { readonly permanent: string; readonly volatile: string }[]
  /** SHA-256 in hex by path. */
  readonly files: Readonly<Record<string, string>>
}

export const BUNDLE_FILE = 'bundle.json'

/** A larger bundle or file in one is not read. */
export const LARGEST = 256 * 1024 * 1024
