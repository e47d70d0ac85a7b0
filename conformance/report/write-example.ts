import { fileURLToPath } from 'node:url'
import { sampleResult } from './testing/sample-result.ts'
import { sampleTranscripts } from './testing/sample-scenarios.ts'
import { writeReports } from './write-reports.ts'

/** Writes `reports/example/` from the sample run; run it with `node bin/dev.js` after a change of the report. */
await writeReports(
  sampleResult(),
  sampleTranscripts(),
  fileURLToPath(new URL('../../reports/example', import.meta.url)),
)
