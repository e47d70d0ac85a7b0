import { WireError } from '../../bytes/wire-error.ts'
import { ApiError } from '../../errors.ts'
import { PolicyError } from '../../evidence/policy-error.ts'

/**
 * Reads a member of a request; an unreadable member is a fault of the caller.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the member
 */
export function readMember<T>(member: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WireError || error instanceof PolicyError)) throw error
    throw unreadable(member, error)
  }
}

/** The refusal of a member, which names the place inside it: `runtime_policy.digests["/a"][0]: …`. */
export function unreadable(member: string, error: WireError | PolicyError): ApiError {
  const detail = error instanceof PolicyError ? messageWithin(member, error) : error.message
  return new ApiError('malformed_request', detail, { pointer: `/${member}`, cause: error })
}

/** Readers of policies know where in a policy something is wrong, and mostly not the policy's name. */
function messageWithin(member: string, { path, message }: PolicyError): string {
  const isNamed = path.startsWith(member) && !/\w/.test(path.charAt(member.length))
  return isNamed ? message : `${member}.${message}`
}
