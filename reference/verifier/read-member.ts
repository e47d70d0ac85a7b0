import { WireError } from '../bytes/wire-error.ts'
import { ApiError } from '../errors.ts'
import { PolicyError } from '../evidence/policy-error.ts'

/**
 * Reads a member of a request; what cannot be read is the caller's fault.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the member
 */
export function readMember<T>(member: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WireError || error instanceof PolicyError)) throw error
    const pointer = `/${member}`
    throw new ApiError('malformed_request', error.message, { pointer, cause: error })
  }
}
