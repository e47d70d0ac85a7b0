/** Paths of the written reports: `report.html`, `result.json`, `junit.xml`, transcripts, then what `--format` asked for. */
export type ReportPaths = readonly string[]
