import { type Html, html, received } from './escape.ts'

interface Split {
  readonly before: string
  readonly differs: string
  readonly after: string
}

const sameFromStart = (left: readonly string[], right: readonly string[]): number => {
  const limit = Math.min(left.length, right.length)
  let at = 0
  while (at < limit && left[at] === right[at]) at += 1
  return at
}

const sameFromEnd = (left: readonly string[], right: readonly string[], limit: number): number => {
  let at = 0
  while (at < limit && left.at(-1 - at) === right.at(-1 - at)) at += 1
  return at
}

/**
 * The part of `own` that differs from `other`, without the common start and end. Values that share less than half of
 * the shorter one count as different throughout, since single marked letters would distract.
 */
export const splitDifference = (own: string, other: string): Split => {
  const [left, right] = [[...own], [...other]]
  const shorter = Math.min(left.length, right.length)
  const start = sameFromStart(left, right)
  const end = sameFromEnd(left, right, shorter - start)
  if ((start + end) * 2 < shorter) return { before: '', differs: own, after: '' }
  return {
    before: left.slice(0, start).join(''),
    differs: left.slice(start, left.length - end).join(''),
    after: left.slice(left.length - end).join(''),
  }
}

/** A value with the part that differs from the other one marked. */
export const marked = (own: string, other: string): Html => {
  const { before, differs, after } = splitDifference(own, other)
  return html`${received(before)}${differs !== '' && html`<mark>${received(differs)}</mark>`}${received(after)}`
}
