import { ApiError } from '../errors.ts'
import { type ApiVersion, isWithin, type VersionRange } from './versions.ts'

/** A member that a request has to have in some versions, and may lack in the others. */
export interface RequiredMember extends Partial<VersionRange> {
  readonly name: string
}

/** Refuses a request that lacks what its version requires; an empty text is a member left out. */
export function checkRequiredMembers(
  members: readonly RequiredMember[],
  body: object,
  version: ApiVersion,
): void {
  const given = new Map(Object.entries(body))
  const missing = members.find((one) => isWithin(version, one) && !given.get(one.name))
  if (missing === undefined) return
  const pointer = `/${missing.name}`
  throw new ApiError('malformed_request', `${pointer}: is missing`, { pointer })
}
