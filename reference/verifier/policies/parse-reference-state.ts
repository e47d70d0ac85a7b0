import { ApiError } from '../../errors.ts'

/**
 * A measured boot reference state: the text of a JSON object. An empty one, like none, asks for nothing.
 *
 * @param member what the refusal calls it
 */
export function parseReferenceState(
  text: string | undefined,
  member = 'mb_refstate',
): string | null {
  if (text === undefined) return null
  readReferenceState(text, member)
  return asksForNothing(text) ? null : text
}

/** The text, when it is that of a JSON object; an empty one too. */
export function readReferenceState(text: string, member = 'mb_refstate'): string {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  throw new ApiError('malformed_request', `${member}: a JSON object is needed`, {
    pointer: `/${member}`,
  })
}

function asksForNothing(text: string): boolean {
  return Object.keys(JSON.parse(text)).length === 0
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
