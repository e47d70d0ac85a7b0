import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { applies } from '../catalogue/routes/operations.ts'
import { REQUEST_SCHEMAS, type RequestSchema } from './request-schemas.ts'

const ajv = new Ajv2020({ strict: false })

/** Of the rows that were asked for: to compile all of them takes as long as to load the judge. */
const compiled = new Map<RequestSchema, ValidateFunction>()

function validatorOf(row: RequestSchema): ValidateFunction {
  const validate = compiled.get(row) ?? ajv.compile(row.schema)
  compiled.set(row, validate)
  return validate
}

/**
 * Holds a request of the judge to its own schema. A scenario that means to send something else says so
 * (`defect`); anything else that does not fit is a slip of the judge, and no verdict may rest on it.
 *
 * @throws {Error} naming the operation and the first member that is wrong
 */
export function checkRequest(operation: string, version: string, body: unknown): void {
  const row = REQUEST_SCHEMAS.find((one) => one.operation === operation && applies(one, version))
  if (row === undefined) {
    if (body === undefined) return
    throw new Error(`the judge sends a body with ${operation} ${version}, which has none`)
  }
  const validate = validatorOf(row)
  if (!validate(body)) throw new Error(sentence(operation, version, validate))
}

function sentence(operation: string, version: string, { errors }: ValidateFunction): string {
  const [first] = errors ?? []
  const where = first?.instancePath || 'its body'
  return `the judge's own ${operation} ${version} does not fit its schema: ${where} ${first?.message ?? ''}`
}
