import { WireError } from '../bytes/wire-error.ts'
import { ApiError } from '../errors.ts'
import { UnsupportedKey } from '../tpm/unsupported-key.ts'

/** The refusal of one member of a registration. */
export function refuse(member: string, detail: string, cause?: unknown): ApiError {
  return new ApiError('malformed_request', `${member}: ${detail}`, { pointer: `/${member}`, cause })
}

/** Reads a member; errors in its bytes, or in the key that they hold, become refusals of that member. */
export function readMember<T>(member: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof WireError || cause instanceof UnsupportedKey)
      throw refuse(member, cause.message, cause)
    throw cause
  }
}
