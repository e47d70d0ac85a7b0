import { WireError } from '../../bytes/wire-error.ts'
import { ApiError } from '../../errors.ts'

/**
 * Reads a member of a part of a push document.
 *
 * @throws {ApiError} `invalid_resource_data` with a pointer from that part, when its bytes cannot be read
 */
export function readable<T>(member: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new ApiError('invalid_resource_data', error.message, { pointer: `/${member}` })
  }
}
