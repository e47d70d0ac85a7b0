const DEEPEST = 48
const LONGEST = 262_144

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const closes = (token: string | undefined): boolean => token === '}' || token === ']'
const opens = (token: string | undefined): boolean => token === '{' || token === '['

const step = (token: string): number => (opens(token) ? 1 : closes(token) ? -1 : 0)

const depthOf = (tokens: readonly string[]): number => {
  let depth = 0
  let deepest = 0
  for (const token of tokens) {
    depth += step(token)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const newline = (depth: number): string => `\n${'  '.repeat(depth)}`

/** White space before and after a token at this depth, given its neighbours. */
const spaced = (token: string, depth: number, before?: string, after?: string): string => {
  if (token === ':') return ': '
  if (token === ',') return `,${newline(depth)}`
  if (opens(token)) return closes(after) ? token : token + newline(depth)
  return closes(token) && !opens(before) ? newline(depth) + token : token
}

const openDeployment = (tokens: readonly string[]): string => {
  let depth = 0
  return tokens
    .map((token, at) => {
      depth += step(token)
      return spaced(token, depth, tokens[at - 1], tokens[at + 1])
    })
    .join('')
}

/** Maximum length of a list of scalars on one line. */
const SHORT_LIST = 60

/** The end of the list of scalars at `start`, or -1 if it is another value or too long. */
const endOfShortList = (tokens: readonly string[], start: number): number => {
  let length = 0
  for (let at = start + 1; at < tokens.length && length <= SHORT_LIST; at += 1) {
    const token = tokens[at] ?? ''
    if (token === ']') return at
    if (opens(token)) return -1
    length += token.length
  }
  return -1
}

/** Joins every short list of scalars, such as a PCR selection, into one token. */
const joinShortLists = (tokens: readonly string[]): readonly string[] => {
  const joined: string[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    const end = token === '[' ? endOfShortList(tokens, at) : -1
    if (end < 0) joined.push(token)
    else {
      const inside = tokens.slice(at + 1, end)
      joined.push(`[${inside.map((one) => (one === ',' ? ', ' : one)).join('')}]`)
      at = end
    }
  }
  return joined
}

/**
 * JSON text with line breaks and indentation. Every token stays as received, including long numbers, repeated names
 * and escapes, which a parser would lose. Undefined if the text is not JSON, too long or too deep.
 */
export const prettyJson = (text: string): string | undefined => {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text) || !isJson(text)) return undefined
  const tokens = text.match(TOKEN) ?? []
  return depthOf(tokens) > DEEPEST ? undefined : openDeployment(joinShortLists(tokens))
}
