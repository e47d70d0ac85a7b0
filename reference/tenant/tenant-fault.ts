import { StartFault } from '../errors.ts'

/** The failures of a command, and the exit code of each. */
const CODES = {
  /** A server or agent refused the request, or does not know the subject. */
  not_found: 1,
  conflict: 1,
  not_authenticated: 1,
  not_authorized: 1,
  refused: 1,
  /** The tenant itself rejected what it received. */
  identity_not_proven: 1,
  endorsement_not_proven: 1,
  policy_not_usable: 1,
  no_common_version: 1,
  keys_not_derived: 1,
  /** No server could be reached, or the answer cannot be used. */
  unreachable: 2,
  timeout: 2,
  broken_off: 2,
  no_tls: 2,
  other_certificate: 2,
  certificate_refused: 2,
  too_large: 2,
  no_json: 2,
  nonsense: 2,
  redirected: 2,
  server_error: 2,
  /** The options or files cannot be used. */
  usage: 2,
} as const

export type FaultCode = keyof typeof CODES
export const FAULT_CODES = Object.keys(CODES) as readonly FaultCode[]

/** Why a command of the tenant did not succeed: a stable code, one sentence, and the next step. */
export class TenantFault extends StartFault {
  readonly code: FaultCode
  /** 1: refused or rejected; 2: no usable answer. */
  readonly exit: 1 | 2

  constructor(code: FaultCode, sentence: string, next?: string, cause?: unknown) {
    super(sentence, next, cause)
    this.code = code
    this.exit = CODES[code]
  }
}
