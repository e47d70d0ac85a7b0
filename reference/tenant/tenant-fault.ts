import { StartFault } from '../errors.ts'

/** What a command of the tenant can end with beside success, and the exit code of each. */
const CODES = {
  /** Somebody who was asked said no, or does not know it. */
  not_found: 1,
  conflict: 1,
  not_authenticated: 1,
  not_authorized: 1,
  refused: 1,
  /** What came was judged here, and is not good. */
  identity_not_proven: 1,
  endorsement_not_proven: 1,
  policy_not_usable: 1,
  no_common_version: 1,
  keys_not_derived: 1,
  /** Nobody could be asked, or what came is no answer. */
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
  /** What the person gave cannot be used. */
  usage: 2,
} as const

export type FaultCode = keyof typeof CODES
export const FAULT_CODES = Object.keys(CODES) as readonly FaultCode[]

/** Why a command of the tenant did not succeed: a stable code, one sentence, and the next step. */
export class TenantFault extends StartFault {
  readonly code: FaultCode
  /** 1: somebody said no; 2: nobody could be asked. */
  readonly exit: 1 | 2

  constructor(code: FaultCode, sentence: string, next?: string, cause?: unknown) {
    super(sentence, next, cause)
    this.code = code
    this.exit = CODES[code]
  }
}
