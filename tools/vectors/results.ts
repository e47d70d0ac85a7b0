import { readFile } from 'node:fs/promises'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { PublishedSchema } from '../../conformance/report/json/published-schema.ts'
import { assayVersion } from '../../conformance/runner/result/compose-result.ts'
import { digestOf } from './corpus.ts'
import type { Expected, VectorGroup } from './vector.ts'

/**
 * `not judged` where the adapter does not support such evidence, `no answer` where none came or none that says yes or
 * no, `unstable` where a later round had another answer.
 */
type Answered = 'valid' | 'invalid' | 'not judged' | 'no answer' | 'unstable'

export const OUTCOMES = ['agrees', 'differs', 'not judged'] as const

/** What an adapter said of a vector. */
export interface VectorResult {
  readonly id: string
  readonly group: string
  readonly expected: Expected
  readonly answered: Answered
  readonly outcome: (typeof OUTCOMES)[number]
  /** The line of the answer, or what became of the process. */
  readonly answer: string
}

/** What an adapter said of all vectors that it was given: the JSON of `assay vectors run --json`. */
export interface VectorResults {
  readonly schema: 'assay.vector-results/1'
  readonly source: { readonly name: 'assay'; readonly version: string }
  /** The command of the adapter. */
  readonly adapter: string
  readonly corpus_sha256: string
  readonly results: readonly VectorResult[]
}

export function composeResults(
  adapter: string,
  groups: readonly VectorGroup[],
  results: readonly VectorResult[],
): VectorResults {
  return {
    schema: 'assay.vector-results/1',
    source: { name: 'assay', version: assayVersion() },
    ...{ adapter, corpus_sha256: digestOf(groups), results },
  }
}

const SCHEMA = new PublishedSchema<VectorResults>('vector-results.schema.json')

/** Reads a file of `assay vectors run --json`. Throws {@link SetupFault} with the file and the reason. */
export async function loadResults(file: string): Promise<VectorResults> {
  const fault = (why: string, cause?: unknown) =>
    new SetupFault(`${file} ${why}`, {
      next: 'give a file that assay vectors run --json FILE wrote',
      cause,
    })
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw fault(`cannot be read (${codeOf(cause)})`, cause)
  })
  const value = parsed(text)
  if (value === undefined) throw fault('is not JSON')
  if (!SCHEMA.fits(value)) throw fault(`has not the published schema, ${SCHEMA.problem()}`)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
