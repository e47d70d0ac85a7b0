import { fileURLToPath } from 'node:url'
import { writeReports } from '../write-reports.ts'
import { sampleResult } from './sample-result.ts'
import { sampleTranscripts } from './sample-scenarios.ts'

/** Writes `reports/example/` from the sample run; run it with `node bin/dev.js` after a change of the report. */
await writeReports(
  sampleResult(),
  sampleTranscripts(),
  fileURLToPath(new URL('../../reports/example', import.meta.url)),
)
