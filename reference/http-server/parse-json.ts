import { ApiError } from '../errors.ts'

/** Deeper than any message of the interface, and than any policy inside one. */
const MAX_DEPTH = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** The JSON value of a request body; an empty body is undefined. Strict UTF-8, at most 64 levels deep. */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) return undefined
  checkDepth(body)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new ApiError('malformed_request', 'The request body is not JSON.', { cause })
  }
}

/** A deep value is harmless until somebody writes it out: `JSON.stringify` recurses, `JSON.parse` does not. */
function checkDepth(body: Uint8Array): void {
  let depth = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at)
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) depth -= 1
    if (depth > MAX_DEPTH) {
      throw new ApiError(
        'malformed_request',
        `The request body is more than ${MAX_DEPTH} levels deep.`,
      )
    }
  }
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
