import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupFault } from '../input/fault.ts'
import { allureFiles } from './formats/allure.ts'
import { sarifOf } from './formats/sarif.ts'
import { tapOf } from './formats/tap.ts'
import { pageOf } from './html/page.ts'
import { jsonOf } from './json/write-json.ts'
import type { ReportPaths } from './report-paths.ts'
import type { RunResult } from './result.ts'
import type { Transcripts } from './transcripts/transcripts.ts'
import { writeTranscripts } from './transcripts/write-transcripts.ts'
import { writeAtomically } from './write-atomically.ts'
import { junitOf } from './write-junit.ts'

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
  for (const name of existsSync(path) ? await readdir(path) : [])
    if (ALLURE_FILE.test(name)) await rm(join(path, name), { force: true })
  for (const { name, content } of allureFiles(result, transcripts))
    await writeAtomically(join(path, name), content)
  return path
}

/** Every report of a run, in the order of their listing. */
const writersOf = (
  result: RunResult,
  transcripts: Transcripts,
  directory: string,
  formats: readonly string[],
): readonly (() => Promise<string>)[] => {
  const chosen = Object.entries(FILE_FORMATS).filter(([format]) => formats.includes(format))
  return [
    () => writeAtomically(join(directory, 'report.html'), pageOf(result, transcripts)),
    () => writeAtomically(join(directory, 'result.json'), jsonOf(result)),
    () => writeAtomically(join(directory, 'junit.xml'), junitOf(result)),
    () => writeTranscripts(transcripts, directory),
    ...chosen.map(
      ([, { name, textOf }]) =>
        () =>
          writeAtomically(join(directory, name), textOf(result)),
    ),
    ...(formats.includes('allure') ? [() => writeAllure(result, transcripts, directory)] : []),
  ]
}

/**
 * Writes `report.html`, `result.json`, `junit.xml`, `transcripts.jsonl.gz` and the files of `formats`, each atomically. A
 * report that cannot be written costs neither the others nor the verdict: standard error gets its sentence.
 */
export const writeReports = async (
  result: RunResult,
  transcripts: Transcripts,
  directory: string,
  formats: readonly string[] = [],
  complaints: { write(text: string): unknown } = process.stderr,
): Promise<ReportPaths> => {
  const written: string[] = []
  for (const write of writersOf(result, transcripts, directory, formats)) {
    try {
      written.push(await write())
    } catch (error) {
      if (!(error instanceof SetupFault)) throw error
      complaints.write(`assay: ${error.sentence}\n`)
    }
  }
  return written
}
