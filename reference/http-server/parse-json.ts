import { ApiError } from '../errors.ts'

/** Deeper than any message of the interface. */
const MAX_DEPTH = 64

/** More members and elements than any message has: lists and policies travel as texts. */
const MAX_VALUES = 100_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
/** `[` and `{` differ in this bit only, and so do `]` and `}`. */
const BRACE_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/** The JSON value of a request body; an empty body is undefined. Strict UTF-8, bounded in depth and number. */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) return undefined
  checkStructure(body)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new ApiError('malformed_request', 'The request body is not JSON.', { cause })
  }
}

/**
 * Looks at the structure alone, before anything is made of it. `JSON.stringify` recurses into what
 * `JSON.parse` reads without, and an object of two bytes takes fifty in memory.
 */
function checkStructure(body: Uint8Array): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at)
    else if (byte === COMMA) values += 1
    else if ((byte | BRACE_BIT) === OPEN) {
      depth += 1
      values += 1
    } else if ((byte | BRACE_BIT) === CLOSE) depth -= 1
    if (depth > MAX_DEPTH) throw refuse(`is more than ${MAX_DEPTH} levels deep`)
    if (values > MAX_VALUES) throw refuse(`holds more than ${MAX_VALUES} values`)
  }
}

function refuse(problem: string): ApiError {
  return new ApiError('malformed_request', `The request body ${problem}.`)
}

/** Index of the closing quote; a quote after an odd number of backslashes is none. */
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
