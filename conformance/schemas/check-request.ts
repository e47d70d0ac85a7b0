import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { applies } from '../catalogue/routes/operations.ts'
import { REQUEST_SCHEMAS, type RequestSchema } from './request-schemas.ts'

const ajv = new Ajv2020({ strict: false })

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
  const row = REQUEST_SCHEMAS.find((one) => one.operation === operation && applies(one, version))
  if (row === undefined) {
    if (body === undefined) return
    throw new Error(`the harness sends a body with ${operation} ${version}, which has none`)
  }
  const validate = validatorOf(row)
  if (!validate(body)) throw new Error(sentence(operation, version, validate))
}

function sentence(operation: string, version: string, { errors }: ValidateFunction): string {
  const [first] = errors ?? []
  const where = first?.instancePath || 'body'
  return `the harness's own ${operation} ${version} request does not match its schema: ${where} ${first?.message ?? ''}`
}
