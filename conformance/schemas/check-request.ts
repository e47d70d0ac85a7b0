import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { applies } from '../catalogue/routes/operations.ts'
import { REQUEST_SCHEMAS, type RequestSchema } from './request-schemas.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })

/** Schemas compiled on first use, because compiling all of them takes as long as loading the harness. */
const compiled = new Map<RequestSchema, ValidateFunction>()

function validatorOf(row: RequestSchema): ValidateFunction {
  const validate = compiled.get(row) ?? ajv.compile(row.schema)
  compiled.set(row, validate)
  return validate
}

/**
 * Checks a request of the harness against its schema. Scenarios declare intended deviations (`defect`); any
 * other deviation is an error of the harness and must not lead to a verdict.
 *
 * @throws {Error} with the operation and the first wrong member
 */
export function checkRequest(operation: string, version: string, body: unknown): void {
  const [first] = problemsOf(operation, version, body)
  if (first === undefined) return
  throw new Error(
    `the harness's own ${operation} ${version} request does not match its schema: ${first.text}`,
  )
}

/** The members of a body that are not as the document has them; those of which it says nothing do not count. */
export function wrongMembers(operation: string, version: string, body: unknown): readonly string[] {
  return problemsOf(operation, version, body)
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(({ text }) => text)
}

interface BodyProblem {
  readonly keyword: string
  /** The place in the body and what is wrong there. */
  readonly text: string
}

function problemsOf(operation: string, version: string, body: unknown): readonly BodyProblem[] {
  const row = REQUEST_SCHEMAS.find((one) => one.operation === operation && applies(one, version))
  if (row === undefined)
    return body === undefined ? [] : [{ keyword: 'false', text: 'it has no body' }]
  const validate = validatorOf(row)
  if (validate(body)) return []
  return (validate.errors ?? []).map(({ keyword, instancePath, message = '' }) => ({
    keyword,
    text: `${instancePath || 'body'} ${message}`,
  }))
}
