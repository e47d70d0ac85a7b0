import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allureFiles } from './formats/allure.ts'
import { sarifOf } from './formats/sarif.ts'
import { tapOf } from './formats/tap.ts'
import { pageOf } from './html/page.ts'
import { writeJson } from './json/write-json.ts'
import type { ReportPaths } from './report-paths.ts'
import type { RunResult } from './result.ts'
import type { Transcripts } from './transcripts/transcripts.ts'
import { writeTranscripts } from './transcripts/write-transcripts.ts'
import { writeAtomically } from './write-atomically.ts'
import { writeJunit } from './write-junit.ts'

/** The values of `--format` that write one more file. */
export const FILE_FORMATS = {
  sarif: { name: 'result.sarif', textOf: sarifOf },
  tap: { name: 'result.tap', textOf: tapOf },
} as const

/** Files that an earlier run may have written. */
const ALLURE_FILE = /^[0-9a-f-]{36}-(?:result\.json|attachment\.txt)$/

/** Writes the directory `allure` and returns its path. Allure would mix results of an earlier run with these. */
const writeAllure = async (
  result: RunResult,
  transcripts: Transcripts,
  directory: string,
): Promise<string> => {
  const path = join(directory, 'allure')
  await mkdir(path, { recursive: true })
  for (const name of await readdir(path))
    if (ALLURE_FILE.test(name)) await rm(join(path, name), { force: true })
  for (const { name, content } of allureFiles(result, transcripts))
    await writeFile(join(path, name), content)
  return path
}

const writeMore = async (
  result: RunResult,
  transcripts: Transcripts,
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
  if (formats.includes('allure')) paths.push(await writeAllure(result, transcripts, directory))
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
    more: await writeMore(result, transcripts, directory, formats),
  }
  await writeAtomically(html, pageOf(result, transcripts))
  return paths
}
