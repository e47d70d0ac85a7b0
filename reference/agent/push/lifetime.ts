/**
 * When something of the verifier's ends by our own clock: its life, which is the difference of two of its timestamps,
 * begins when we asked. So a clock that goes wrong on either side neither shortens nor lengthens it.
 *
 * @returns undefined where there is no end; a life that is over before it began ends at once
 */
export function endOf(
  { since, until }: { readonly since: unknown; readonly until: unknown },
  asked: number,
): number | undefined {
  const [start, end] = [instantOf(since), instantOf(until)]
  if (end === undefined) return undefined
  return start === undefined ? end : asked + (end - start)
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.]\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

function instantOf(text: unknown): number | undefined {
  if (typeof text !== 'string' || !INSTANT.test(text)) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}
