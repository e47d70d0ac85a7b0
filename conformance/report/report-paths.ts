/** Paths of the written reports. */
export interface ReportPaths {
  readonly json: string
  readonly junit: string
  readonly html: string
  readonly transcripts: string
  /** Those that `--format` asked for. */
  readonly more: readonly string[]
}
