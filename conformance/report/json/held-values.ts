import { maskVarying } from '../diff/mask-varying.ts'
import type { CheckResult } from '../result.ts'
import { counted, cutAt } from '../visible.ts'

/** Number of characters that are kept of a value. */
const LONGEST = 1000

/** The note of the length, with the word before it, which may be cut. */
const CUT = /[^\s"',:;]*… \[[\d,]+ characters\]$/

const shortened = (value: string): string =>
  value.length <= LONGEST
    ? value
    : `${cutAt(value, LONGEST)}… [${counted(value.length, 'character')}]`

/** A check with long values cut, and their length noted, if it held; one that did not hold is returned unchanged. */
export const shortenHeld = (check: CheckResult): CheckResult => {
  const { ok, expected, received } = check
  if (!ok || Math.max(expected.length, received.length) <= LONGEST) return check
  return { ...check, expected: shortened(expected), received: shortened(received) }
}

/** Whether two received values are the same, apart from parts that vary between runs. */
export const sameReceived = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((value) => maskVarying(value.replace(CUT, '')))
  if (left === right) return CUT.test(one) === CUT.test(other)
  if (left === undefined || right === undefined || !CUT.test(one) || !CUT.test(other)) return false
  return left.startsWith(right) || right.startsWith(left)
}
