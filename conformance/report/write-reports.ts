import { join } from 'node:path'
import { pageOf } from './html/page.ts'
import { writeJson } from './json/write-json.ts'
import type { RunResult } from './result.ts'
import type { Transcripts } from './transcripts/transcripts.ts'
import { writeTranscripts } from './transcripts/write-transcripts.ts'
import { writeAtomically } from './write-atomically.ts'
import { writeJunit } from './write-junit.ts'

/** Paths of the written reports. */
export interface ReportPaths {
  readonly json: string
  readonly junit: string
  readonly html: string
  readonly transcripts: string
}

/**
 * Writes `result.json`, `transcripts.jsonl.gz`, `junit.xml` and `report.html`, each atomically. Throws `WriteError`,
 * one sentence, if the directory cannot be written.
 */
export const writeReports = async (
  result: RunResult,
  transcripts: Transcripts,
  directory: string,
): Promise<ReportPaths> => {
  const html = join(directory, 'report.html')
  const paths = {
    json: await writeJson(result, directory),
    transcripts: await writeTranscripts(transcripts, directory),
    junit: await writeJunit(result, directory),
    html,
  }
  await writeAtomically(html, pageOf(result, transcripts))
  return paths
}
