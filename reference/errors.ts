/**
 * Every way in which the reference refuses a request: one row per code. The document shows neither
 * error bodies nor codes (section "Errors"), so codes and statuses are upstream's where it has them.
 */
const CODES = {
  malformed_request: { status: 400, title: 'Bad Request' },
  invalid_request: { status: 400, title: 'Bad Request' },
  not_authenticated: { status: 401, title: 'Unauthorized' },
  not_authorized: { status: 403, title: 'Forbidden' },
  agent_attestations_disabled: { status: 403, title: 'Forbidden' },
  old_attestation: { status: 403, title: 'Forbidden' },
  evidence_immutable: { status: 403, title: 'Forbidden' },
  challenges_expired: { status: 403, title: 'Forbidden' },
  identity_taken: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  request_timeout: { status: 408, title: 'Request Timeout' },
  conflict: { status: 409, title: 'Conflict' },
  body_too_large: { status: 413, title: 'Content Too Large' },
  unsupported_media_type: { status: 415, title: 'Unsupported Media Type' },
  expectation_failed: { status: 417, title: 'Expectation Failed' },
  invalid_resource_data: { status: 422, title: 'Unprocessable Content' },
  premature_attestation: { status: 429, title: 'Too Many Requests' },
  headers_too_large: { status: 431, title: 'Request Header Fields Too Large' },
  quote_unobtainable: { status: 500, title: 'Internal Server Error' },
  internal: { status: 500, title: 'Internal Server Error' },
  not_implemented: { status: 501, title: 'Not Implemented' },
  registrar_answer_unusable: { status: 502, title: 'Bad Gateway' },
  server_answer_unusable: { status: 502, title: 'Bad Gateway' },
  database_unavailable: { status: 503, title: 'Service Unavailable' },
  verification_in_progress: { status: 503, title: 'Service Unavailable' },
  registrar_unreachable: { status: 503, title: 'Service Unavailable' },
  bodies_full: { status: 503, title: 'Service Unavailable' },
  server_unreachable: { status: 503, title: 'Service Unavailable' },
  evaluations_full: { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof CODES
export const ERROR_CODES = Object.keys(CODES) as readonly ErrorCode[]

interface ApiErrorOptions {
  /** JSON pointer into the request body, e.g. `/data/attributes/evidence_collected/0`. */
  readonly pointer?: string
  /** Seconds after which the same may be asked again (`Retry-After`). */
  readonly retryAfter?: number
  /** For the log only; never sent. */
  readonly cause?: unknown
}

/** A refusal with its public text. Status and title come from the table; a body is made by a presenter. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly pointer: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.status = CODES[code].status
    this.title = CODES[code].title
    this.pointer = options.pointer
    this.retryAfter = options.retryAfter
  }
}

export function agentNotEnrolled(agentId: string): ApiError {
  return new ApiError('not_found', `No enrolled agent with ID '${agentId}'.`)
}

export function agentNotRegistered(agentId: string): ApiError {
  return new ApiError('not_found', `Agent with ID '${agentId}' not found`)
}

export function attestationNotFound(agentId: string): ApiError {
  return new ApiError('not_found', `No such attestation of agent '${agentId}'.`)
}

export function policyNotFound(name: string): ApiError {
  return new ApiError('not_found', `Runtime policy ${name} not found`)
}

export function policyExists(name: string): ApiError {
  return new ApiError('conflict', `Runtime policy with name ${name} already exists`)
}

export function bootPolicyNotFound(name: string): ApiError {
  return new ApiError('not_found', `Measured boot policy ${name} not found`)
}

export function bootPolicyExists(name: string): ApiError {
  return new ApiError('conflict', `Measured boot policy with name ${name} already exists`)
}

export function sessionNotFound(): ApiError {
  return new ApiError('not_found', 'Session not found')
}

/** As many requests wait to be evaluated as may; evidence of push attestations waits on disk instead. */
export function evaluationsFull(): ApiError {
  return new ApiError('evaluations_full', 'Too many evaluations wait; ask again.', {
    retryAfter: 1,
  })
}

/** A start-up problem for the operator: what is wrong, and what to do next. */
export class StartFault extends Error {
  readonly sentence: string
  readonly next: string | undefined

  constructor(sentence: string, next?: string, cause?: unknown) {
    super(sentence, cause === undefined ? {} : { cause })
    this.sentence = sentence
    this.next = next
  }
}
