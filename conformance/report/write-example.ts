import { fileURLToPath } from 'node:url'
import { sampleResult } from './testing/sample-result.ts'
import { sampleTranscripts } from './testing/sample-scenarios.ts'
import { writeReports } from './write-reports.ts'

/** Writes `reports/example/` anew from the made-up sample; run it with `node bin/dev.js` after the look of a report changed. */
await writeReports(
  sampleResult(),
  sampleTranscripts(),
  fileURLToPath(new URL('../../reports/example', import.meta.url)),
)
