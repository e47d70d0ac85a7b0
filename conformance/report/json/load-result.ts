import { readFile } from 'node:fs/promises'
import { reasonOfSystem, SetupFault } from '../../input/fault.ts'
import { causesOf } from '../causes.ts'
import type { RunResult, ScenarioResult } from '../result.ts'
import type { TranscriptEntry } from '../transcripts/transcript-entry.ts'
import { shortLine } from '../visible.ts'
import { shortenHeld } from './held-values.ts'
import { PublishedSchema } from './published-schema.ts'

/** The first format, with transcripts and complete values. */
interface FirstResult extends Omit<RunResult, 'schema' | 'scenarios' | 'causes'> {
  readonly schema: 'assay.result/1'
  readonly scenarios: readonly FirstScenario[]
}

interface FirstScenario extends Omit<ScenarioResult, 'transcript'> {
  readonly transcript: readonly TranscriptEntry[]
}

/** Until 0.2 a result had no causes. */
type WrittenResult = Omit<RunResult, 'causes'> & Partial<Pick<RunResult, 'causes'>>

const FIRST = new PublishedSchema<FirstResult>('result-1.schema.json')
const CURRENT = new PublishedSchema<WrittenResult>('result.schema.json')

const refuse = (path: string, why: string): SetupFault =>
  new SetupFault(`${path} is not a result of this version of Assay: ${shortLine(why, 300)}`, {
    next: 'give a result.json that assay run wrote',
  })

const read = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new SetupFault(`${path} cannot be read: ${reasonOfSystem(cause)}`, {
      next: 'give a result.json that assay run wrote',
      cause,
    })
  }
}

const parse = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refuse(
      path,
      cause instanceof Error ? `it is not JSON: ${cause.message}` : 'it is not JSON',
    )
  }
}

const isFirstFormat = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'schema' in value &&
  value.schema === 'assay.result/1'

const withCauses = (result: WrittenResult): RunResult => ({
  ...result,
  causes: result.causes ?? causesOf(result.scenarios),
})

const currentOf = (result: FirstResult): RunResult =>
  withCauses({
    ...result,
    schema: 'assay.result/2',
    scenarios: result.scenarios.map((scenario) => ({
      ...scenario,
      checks: scenario.checks.map(shortenHeld),
      transcript: { entries: scenario.transcript.length, kept: false },
    })),
  })

/**
 * Reads a `result.json` of this format or the previous one, and validates it against the published schema. Throws
 * `SetupFault`, with the file and the JSON pointer of the problem, if it cannot be read or is not valid.
 */
export const loadResult = async (path: string): Promise<RunResult> =>
  parseResult(path, await read(path))

/** The result in a text, validated like that of a file; `path` names it in messages. */
export const parseResult = (path: string, text: string): RunResult => {
  const value = parse(path, text)
  if (isFirstFormat(value)) {
    if (FIRST.fits(value)) return currentOf(value)
    throw refuse(path, FIRST.problem())
  }
  if (CURRENT.fits(value)) return withCauses(value)
  throw refuse(path, CURRENT.problem())
}
