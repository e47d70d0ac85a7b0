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
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.keys(value).length === 0 ? null : text
  }
  throw new ApiError('malformed_request', `${member}: a JSON object is needed`, {
    pointer: `/${member}`,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
