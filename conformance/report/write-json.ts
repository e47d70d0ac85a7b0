import { join } from 'node:path'
import type { RunResult } from './result.ts'
import { writeAtomically } from './write-atomically.ts'

/** The text of `result.json`, as `reports/schema/result.schema.json` describes it. */
export const jsonOf = (result: RunResult): string => `${JSON.stringify(result, null, 2)}\n`

/** Writes `result.json` and returns its path. */
export const writeJson = async (result: RunResult, directory: string): Promise<string> => {
  const path = join(directory, 'result.json')
  await writeAtomically(path, jsonOf(result))
  return path
}
