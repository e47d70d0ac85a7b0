import { join } from 'node:path'
import { sarifOf } from './formats/sarif.ts'
import { tapOf } from './formats/tap.ts'
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
  /** Those that `--format` asked for. */
  readonly more: readonly string[]
}

/** The values of `--format` that write one more file. */
export const FILE_FORMATS = {
  sarif: { name: 'result.sarif', textOf: sarifOf },
  tap: { name: 'result.tap', textOf: tapOf },
} as const

const writeMore = async (
  result: RunResult,
  directory: string,
  formats: readonly string[],
): Promise<readonly string[]> => {
  const chosen = Object.entries(FILE_FORMATS).filter(([format]) => formats.includes(format))
  const paths: string[] = []
  for (const [, { name, textOf }] of chosen) {
    const path = join(directory, name)
    await writeAtomically(path, textOf(result))
    paths.push(path)
  }
  return paths
}

/**
 * Writes `result.json`, `transcripts.jsonl.gz`, `junit.xml`, `report.html` and the files of `formats`, each atomically.
 * Throws `WriteError`, one sentence, if the directory cannot be written.
 */
export const writeReports = async (
  result: RunResult,
  transcripts: Transcripts,
  directory: string,
  formats: readonly string[] = [],
): Promise<ReportPaths> => {
  const html = join(directory, 'report.html')
  const paths = {
    json: await writeJson(result, directory),
    transcripts: await writeTranscripts(transcripts, directory),
    junit: await writeJunit(result, directory),
    html,
    more: await writeMore(result, directory, formats),
  }
  await writeAtomically(html, pageOf(result, transcripts))
  return paths
}
