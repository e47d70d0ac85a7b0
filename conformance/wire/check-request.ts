import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { applies } from '../client/operations.ts'
import { REQUEST_SCHEMAS } from './request-schemas.ts'

const ajv = new Ajv2020({ strict: false })
const rows = REQUEST_SCHEMAS.map((row) => ({ ...row, validate: ajv.compile(row.schema) }))

/**
 * Holds a request of the judge to its own schema. A scenario that means to send something else says so
 * (`defect`); anything else that does not fit is a slip of the judge, and no verdict may rest on it.
 *
 * @throws {Error} naming the operation and the first member that is wrong
 */
export function checkRequest(operation: string, version: string, body: unknown): void {
  const row = rows.find((one) => one.operation === operation && applies(one, version))
  if (row === undefined) {
    if (body === undefined) return
    throw new Error(`the judge sends a body with ${operation} ${version}, which has none`)
  }
  if (!row.validate(body)) throw new Error(sentence(operation, version, row.validate))
}

function sentence(operation: string, version: string, { errors }: ValidateFunction): string {
  const [first] = errors ?? []
  const where = first?.instancePath || 'its body'
  return `the judge's own ${operation} ${version} does not fit its schema: ${where} ${first?.message ?? ''}`
}
