/** The most values in the JSON of a message, and how deep they may nest: a reader needs memory and stack for them. */
const MOST_VALUES = 500_000
const MOST_DEPTH = 1000

/** Why a text exceeds the limits of values or of depth; undefined if it does not, or is not JSON. */
function structureExcess(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const mark = /["[\]{},]/g
  let depth = 0
  let values = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [sign] = found
    if (sign === '"') mark.lastIndex = endOfString(text, found.index) ?? text.length
    else if (sign === ']' || sign === '}') depth -= 1
    else values += 1
    if (sign === '[' || sign === '{') depth += 1
    if (depth > MOST_DEPTH) return `nests values more than ${MOST_DEPTH} deep`
    if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`
  }
  return undefined
}

/** The index after the string that begins at `start`; undefined if it does not end. */
export function endOfString(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text[before - 1] === '\\') before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return undefined
}

/** The value of JSON text, undefined if it is not JSON; or which limit it exceeds. */
export function readJson(text: string): { readonly value?: unknown; readonly excess?: string } {
  const excess = structureExcess(text)
  if (excess !== undefined) return { excess }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return {}
  }
}

/** The value of JSON text; undefined if it is not JSON, or exceeds a limit. */
export function parseJson(text: string): unknown {
  return readJson(text).value
}
