import { ApiError } from '../errors.ts'

/** One visible path segment: no control, format or separator character, and no slash (CVE-2022-23949). */
const SAFE_NAME = /^[^\p{C}\p{Zl}\p{Zp}/\\]{1,255}$/u

/** Returns the name of a policy, or refuses it without repeating it. */
export function checkPolicyName(name: string, pointer = '/name'): string {
  if (SAFE_NAME.test(name)) return name
  throw new ApiError(
    'malformed_request',
    `${pointer.slice(1)}: 255 visible characters at the most, and no slash`,
    { pointer },
  )
}
