import type { IncomingMessage } from 'node:http'
import { parseJson } from '../api/bodies/parse-json.ts'
import { asApiError } from './faults.ts'
import { bodyLimitOf } from './limits/body-limit.ts'
import { keepConnections } from './limits/connections.ts'
import { requestChecks } from './request-checks.ts'
import { replyToUnknownPath } from './unknown-path.ts'

/** How a server treats a request before its operation; a mutant can replace each rule. */
export interface HttpRules {
  readonly checks: typeof requestChecks
  readonly targetOf: typeof targetOf
  readonly replyToUnknownPath: typeof replyToUnknownPath
  readonly bodyLimitOf: typeof bodyLimitOf
  readonly parseBody: typeof parseJson
  readonly refusalOf: typeof asApiError
  readonly keepConnections: typeof keepConnections
  /** How many headers of a request are kept; 0 keeps all. */
  readonly headersKept: number
  /** Whether requests are read that are not quite HTTP/1.1. */
  readonly isLenient: boolean
}

/** The path for routing: the received target, with no slash merged, no case folded and no dot resolved. */
function targetOf({ url = '' }: IncomingMessage): string {
  return url
}

export const httpRules: HttpRules = {
  checks: requestChecks,
  targetOf,
  replyToUnknownPath,
  bodyLimitOf,
  parseBody: parseJson,
  refusalOf: asApiError,
  keepConnections,
  // Past the thousandth Node would leave them out, an Authorization header among them.
  headersKept: 0,
  isLenient: false,
}
