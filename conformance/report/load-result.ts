import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { packageRoot } from '../package-root.ts'
import { codeOf, SetupFault } from '../target/fault.ts'
import type { RunResult } from './result.ts'
import { shortLine } from './visible.ts'

const SCHEMA = join('reports', 'schema', 'result.schema.json')

/** Compiled when it is first needed, as most verbs never read a result. */
const compileSchema = () =>
  new Ajv2020({ strict: true }).compile<RunResult>(
    JSON.parse(readFileSync(join(packageRoot(), SCHEMA), 'utf8')),
  )

let compiled: ReturnType<typeof compileSchema> | undefined

const detailOf = ({ keyword, params }: ErrorObject): string => {
  switch (keyword) {
    case 'additionalProperties':
      return `: ${params['additionalProperty']}`
    case 'enum':
      return `: ${params['allowedValues'].join(', ')}`
    case 'const':
      return `: ${params['allowedValue']}`
    default:
      return ''
  }
}

/** Of a choice between shapes ajv tells every branch first; the last error is the choice itself. */
const complaintOf = (errors: readonly ErrorObject[]): string => {
  const last = errors.at(-1)
  if (last === undefined) return 'at /'
  return `at ${last.instancePath || '/'}: it ${last.message}${detailOf(last)}`
}

const refuse = (path: string, why: string): SetupFault =>
  new SetupFault(`${path} is not a result of this version of Assay: ${shortLine(why, 300)}`, {
    next: 'give a result.json that assay run wrote',
  })

const read = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = codeOf(cause) || 'unknown error'
    throw new SetupFault(`${path} cannot be read (${code})`, {
      next: 'give a result.json that assay run wrote',
      cause,
    })
  }
}

/**
 * Reads a `result.json` and holds it to the published schema. Throws `SetupFault`, one sentence with the file and the
 * JSON pointer of what is wrong, when it cannot be read or is something else.
 */
export const loadResult = async (path: string): Promise<RunResult> => {
  const text = await read(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refuse(path, cause instanceof Error ? `it is no JSON: ${cause.message}` : 'it is no JSON')
  }
  compiled ??= compileSchema()
  if (compiled(value)) return value
  throw refuse(path, complaintOf(compiled.errors ?? []))
}
