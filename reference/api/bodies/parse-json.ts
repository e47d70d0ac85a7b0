import { ApiError } from '../../errors.ts'

/** Deeper than any message of the interface. */
const MAX_DEPTH = 64

/** More members and elements than any message has: lists and policies travel as texts. */
const MAX_VALUES = 100_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const COLON = 0x3a
const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d]
/** `[` and `{` differ in this bit only, and so do `]` and `}`. */
const BRACE_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/**
 * The JSON value of a request body; an empty body is undefined. Strict UTF-8 without a mark, bounded in depth and
 * number, and the same value for every reader: no member twice, no number past all numbers, no half a character.
 */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) return undefined
  checkStructure(body)
  const value = parse(body)
  checkValues(value)
  return value
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(body))
  } catch (cause) {
    throw new ApiError('malformed_request', 'The request body is not JSON.', { cause })
  }
}

/** `JSON.parse` accepts numbers that are too large and unpaired surrogates; other parsers need not. */
function checkValues(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw refuse('holds a number past all')
  if (typeof value === 'string' && LONE_SURROGATE.test(value))
    throw refuse('holds half a character')
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) for (const name of Object.keys(value)) checkValues(name)
  for (const member of Object.values(value)) checkValues(member)
}

const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Checks only the structure, before parsing. `JSON.stringify` recurses into what
 * `JSON.parse` reads without, and an object of two bytes takes fifty in memory.
 */
function checkStructure(body: Uint8Array): void {
  let depth = 0
  let values = 1
  const names: Set<string>[] = []
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) {
      const end = endOfString(body, at)
      takeName(body.subarray(at, end + 1), byteBehind(body, end), names[depth])
      at = end
    } else if (byte === COMMA) values += 1
    else if ((byte | BRACE_BIT) === OPEN) {
      depth += 1
      values += 1
      names[depth] = new Set()
    } else if ((byte | BRACE_BIT) === CLOSE) depth -= 1
    if (depth > MAX_DEPTH) throw refuse(`is more than ${MAX_DEPTH} levels deep`)
    if (values > MAX_VALUES) throw refuse(`holds more than ${MAX_VALUES} values`)
  }
}

function refuse(problem: string): ApiError {
  return new ApiError('malformed_request', `The request body ${problem}.`)
}

/** Remembers a text that a colon makes the name of a member, and refuses the second one of that name in an object. */
function takeName(quoted: Uint8Array, behind: number | undefined, names = new Set<string>()): void {
  if (behind !== COLON) return
  const name = nameOf(quoted)
  if (names.has(name)) throw refuse('names a member twice')
  names.add(name)
}

const NAMES = new TextDecoder()

/** The name without its escapes; one that cannot be read is refused with the whole body later. */
function nameOf(quoted: Uint8Array): string {
  const text = NAMES.decode(quoted)
  if (!quoted.includes(BACKSLASH)) return text
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/** The next byte that is no blank. */
function byteBehind(body: Uint8Array, at: number): number | undefined {
  let next = at + 1
  while (BLANKS.includes(body[next] ?? 0)) next += 1
  return body[next]
}

/** Index of the closing quote; a quote after an odd number of backslashes is escaped. */
function endOfString(body: Uint8Array, start: number): number {
  let end = body.indexOf(QUOTE, start + 1)
  while (end >= 0 && isEscaped(body, end)) end = body.indexOf(QUOTE, end + 1)
  return end < 0 ? body.length : end
}

function isEscaped(body: Uint8Array, at: number): boolean {
  let backslashes = 0
  while (body[at - 1 - backslashes] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}
