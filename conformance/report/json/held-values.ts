import { maskVarying } from '../diff/mask-varying.ts'
import type { CheckResult } from '../result.ts'
import { counted, cutAt } from '../visible.ts'

/** Characters that are kept of a value. */
const LONGEST = 1000

/** The note of the length, and before it the word through which the cut may have gone. */
const CUT = /[^\s"',:;]*… \[[\d,]+ characters\]$/

const shortened = (value: string): string =>
  value.length <= LONGEST
    ? value
    : `${cutAt(value, LONGEST)}… [${counted(value.length, 'character')}]`

/** A check with long values cut, and their length noted, when it held; one that did not hold stays whole. */
export const shortenHeld = (check: CheckResult): CheckResult => {
  const { ok, expected, received } = check
  if (!ok || Math.max(expected.length, received.length) <= LONGEST) return check
  return { ...check, expected: shortened(expected), received: shortened(received) }
}

/** Whether two received values are the same but for what differs between any two runs. */
export const sameReceived = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((value) => maskVarying(value.replace(CUT, '')))
  if (left === right) return CUT.test(one) === CUT.test(other)
  if (left === undefined || right === undefined || !CUT.test(one) || !CUT.test(other)) return false
  return left.startsWith(right) || right.startsWith(left)
}
