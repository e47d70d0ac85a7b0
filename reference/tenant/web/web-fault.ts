import { ApiError, type ErrorCode, StartFault } from '../../errors.ts'
import { type FaultCode, TenantFault } from '../tenant-fault.ts'

/** The error that a browser receives for a failure of the tenant. */
const CODES: Readonly<Record<FaultCode, ErrorCode>> = {
  not_found: 'not_found',
  conflict: 'conflict',
  usage: 'malformed_request',
  identity_not_proven: 'invalid_resource_data',
  endorsement_not_proven: 'invalid_resource_data',
  policy_not_usable: 'invalid_resource_data',
  no_common_version: 'invalid_resource_data',
  keys_not_derived: 'invalid_resource_data',
  unreachable: 'server_unreachable',
  timeout: 'server_unreachable',
  broken_off: 'server_unreachable',
  no_tls: 'server_unreachable',
  other_certificate: 'server_unreachable',
  certificate_refused: 'server_unreachable',
  not_authenticated: 'server_answer_unusable',
  not_authorized: 'server_answer_unusable',
  refused: 'server_answer_unusable',
  too_large: 'server_answer_unusable',
  no_json: 'server_answer_unusable',
  nonsense: 'server_answer_unusable',
  redirected: 'server_answer_unusable',
  server_error: 'server_answer_unusable',
}

/** The refusal for a failure of the tenant; any other error as it is. The next step of a command line is left out. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof TenantFault) return new ApiError(CODES[error.code], error.sentence)
  if (error instanceof StartFault) return new ApiError('invalid_resource_data', error.sentence)
  return error
}
