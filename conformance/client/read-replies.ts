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
    status < 200 || isHead ? { content: [], end: start } : readBody(bytes, start, headers)
  if (body === undefined) return undefined
  const text = Buffer.concat(body.content).toString('utf8')
  return { reply: { status, headers, text }, end: body.end }
}

function readField(field: string): readonly [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}

interface Body {
  readonly content: readonly Buffer[]
  readonly end: number
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: Readonly<Record<string, string>>,
): Body | undefined {
  if (headers['transfer-encoding'] !== undefined) return readChunks(bytes, start)
  const end = start + Number(headers['content-length'] ?? 0)
  return end > bytes.length ? undefined : { content: [bytes.subarray(start, end)], end }
}

function readChunks(bytes: Buffer, start: number): Body | undefined {
  const content: Buffer[] = []
  let at = start
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size
    if (Number.isNaN(size) || end + 2 > bytes.length) return undefined
    if (size === 0) return { content, end: end + 2 }
    content.push(bytes.subarray(line + 2, end))
    at = end + 2
  }
}
