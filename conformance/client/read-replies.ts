/** One HTTP response, parsed from the wire. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface Conversation {
  /** Final responses, in order. */
  readonly replies: readonly WireReply[]
  /** Statuses of interim responses, e.g. 100. */
  readonly interim: readonly number[]
  /** Whether every response is complete. */
  readonly whole: boolean
}

/**
 * Parses all HTTP/1.1 responses in the bytes; the last one may be incomplete. With `isHead`, responses have no body,
 * regardless of Content-Length.
 */
export function readReplies(bytes: Buffer, isHead = false): Conversation {
  const replies: WireReply[] = []
  const interim: number[] = []
  let at = 0
  while (at < bytes.length) {
    const read = readReply(bytes, at, isHead)
    if (read === undefined) return { replies, interim, whole: false }
    if (read.reply.status < 200) interim.push(read.reply.status)
    else replies.push(read.reply)
    at = read.end
  }
  return { replies, interim, whole: true }
}

const BLANK_LINE = '\r\n\r\n'

function readReply(
  bytes: Buffer,
  at: number,
  isHead: boolean,
): { readonly reply: WireReply; readonly end: number } | undefined {
  const blank = bytes.indexOf(BLANK_LINE, at)
  if (blank < 0) return undefined
  const [line = '', ...fields] = bytes.toString('latin1', at, blank).split('\r\n')
  const status = Number(/^HTTP\/\d\.\d (\d{3})/.exec(line)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) return undefined
  const headers = Object.fromEntries(fields.map(readField))
  const start = blank + BLANK_LINE.length
  const body =
    status < 200 || isHead ? { content: NO_CONTENT, end: start } : readBody(bytes, start, headers)
  if (body === undefined) return undefined
  const text = body.content.toString('utf8')
  return { reply: { status, headers, text }, end: body.end }
}

function readField(field: string): readonly [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}

interface Body {
  readonly content: Buffer
  readonly end: number
}

const NO_CONTENT = Buffer.alloc(0)

function readBody(
  bytes: Buffer,
  start: number,
  headers: Readonly<Record<string, string>>,
): Body | undefined {
  if (headers['transfer-encoding'] !== undefined) return readChunks(bytes, start)
  const length = headers['content-length'] ?? '0'
  const end = start + (/^\d+$/.test(length) ? Number(length) : Number.NaN)
  return end <= bytes.length ? { content: bytes.subarray(start, end), end } : undefined
}

/** Hexadecimal digits only: with a sign, a reader would go back to bytes that it has read. */
const CHUNK_SIZE = /^[0-9a-f]+/i
const LONGEST_SIZE_LINE = 1024

function readChunks(bytes: Buffer, start: number): Body | undefined {
  let length = 0
  const end = walkChunks(bytes, start, (from, to) => {
    length += to - from
  })
  if (end === undefined) return undefined
  const content = Buffer.alloc(length)
  let filled = 0
  walkChunks(bytes, start, (from, to) => {
    filled += bytes.copy(content, filled, from, to)
  })
  return { content, end }
}

/** Calls `onChunk` with where each chunk begins and ends. Returns the end of the last one; undefined if it is missing. */
function walkChunks(
  bytes: Buffer,
  start: number,
  onChunk: (from: number, to: number) => void,
): number | undefined {
  let at = start
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const words = bytes.toString('latin1', at, Math.min(line, at + LONGEST_SIZE_LINE))
    const size = Number.parseInt(CHUNK_SIZE.exec(words)?.[0] ?? '', 16)
    const end = line + 2 + size
    if (Number.isNaN(size) || end + 2 > bytes.length) return undefined
    if (size === 0) return end + 2
    onChunk(line + 2, end)
    at = end + 2
  }
}
