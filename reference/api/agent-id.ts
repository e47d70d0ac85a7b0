import { ApiError } from '../errors.ts'

/** Letters, digits, `_`, `.` and `-`: a UUID fits, a control character or a path never does (CVE-2022-23949). */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/

/** Returns the id, or refuses it without repeating it. */
export function checkAgentId(id: string, pointer = '/agent_id'): string {
  if (SAFE_ID.test(id)) return id
  throw new ApiError(
    'malformed_request',
    'agent_id: letters, digits, "_", "." and "-" only, 80 characters at the most',
    { pointer },
  )
}
