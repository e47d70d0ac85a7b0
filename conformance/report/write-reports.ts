import { join } from 'node:path'
import { pageOf } from './html/page.ts'
import type { RunResult } from './result.ts'
import { writeAtomically } from './write-atomically.ts'
import { writeJson } from './write-json.ts'
import { writeJunit } from './write-junit.ts'

/** Paths of the three written reports. */
export interface ReportPaths {
  readonly json: string
  readonly junit: string
  readonly html: string
}

/**
 * Writes `result.json`, `junit.xml` and `report.html`, each whole or not at all.
 * Throws `WriteError`, one sentence, when the directory cannot be written.
 */
export const writeReports = async (result: RunResult, directory: string): Promise<ReportPaths> => {
  const html = join(directory, 'report.html')
  const json = await writeJson(result, directory)
  const junit = await writeJunit(result, directory)
  await writeAtomically(html, pageOf(result))
  return { json, junit, html }
}
