import { endOfString } from '../../../simulator/agents/http/parse-json.ts'

/** A value of a JSON text with its position; offsets count bytes from 0. */
export interface JsonNode {
  readonly start: number
  readonly end: number
  /** The value as from JSON.parse; undefined for objects and lists, see `members` and `items`. */
  readonly value: unknown
  readonly members?: readonly JsonMember[]
  readonly items?: readonly JsonNode[]
}

export interface JsonMember {
  readonly key: string
  readonly keyStart: number
  readonly node: JsonNode
}

interface JsonText {
  /** The part that could be read; undefined if there is none. */
  readonly root: JsonNode | undefined
  readonly broken: { readonly offset: number; readonly why: string } | undefined
}

const MOST_NESTED = 100
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const BLANKS = /[ \t\n\r]*/y

interface Reader {
  /** The text with one character per byte, so that positions are byte offsets. */
  readonly text: string
  at: number
  broken: JsonText['broken']
}

function stop(reader: Reader, why: string): undefined {
  reader.broken ??= { offset: reader.at, why }
  return undefined
}

function skip(reader: Reader): string {
  BLANKS.lastIndex = reader.at
  BLANKS.exec(reader.text)
  reader.at = BLANKS.lastIndex
  return reader.text[reader.at] ?? ''
}

function readString(reader: Reader): JsonNode | undefined {
  const start = reader.at
  const end = endOfString(reader.text, start)
  if (end === undefined) {
    reader.at = reader.text.length
    return stop(reader, 'the text ends inside a string')
  }
  try {
    const literal = Buffer.from(reader.text.slice(start, end), 'latin1').toString('utf8')
    const value: unknown = JSON.parse(literal)
    reader.at = end
    return { start, end, value }
  } catch {
    return stop(reader, 'the string contains a control character or an invalid escape')
  }
}

function readScalar(reader: Reader): JsonNode | undefined {
  const start = reader.at
  if (reader.text[start] === '"') return readString(reader)
  TOKEN.lastIndex = start
  const token = TOKEN.exec(reader.text)?.[0]
  if (token === undefined) return stop(reader, ended(reader, 'a value'))
  reader.at = start + token.length
  return { start, end: reader.at, value: JSON.parse(token) as unknown }
}

function readMember(reader: Reader, depth: number): JsonMember | undefined {
  const key =
    skip(reader) === '"'
      ? readString(reader)
      : stop(reader, ended(reader, 'a name in double quotes'))
  if (key === undefined) return undefined
  if (skip(reader) !== ':') return stop(reader, ended(reader, 'a colon'))
  reader.at += 1
  const node = readNode(reader, depth)
  return node && { key: String(key.value), keyStart: key.start, node }
}

function ended({ text, at }: Reader, wanted: string): string {
  return at >= text.length ? `unexpected end of text, expected ${wanted}` : `expected ${wanted}`
}

/** Reads items up to the closing bracket; `reader.broken` is set if it is missing. */
function readItems<T>(reader: Reader, close: string, readItem: () => T | undefined): T[] {
  const items: T[] = []
  reader.at += 1
  if (skip(reader) === close) {
    reader.at += 1
    return items
  }
  while (reader.broken === undefined) {
    const item = readItem()
    if (item !== undefined) items.push(item)
    if (reader.broken !== undefined) break
    const next = skip(reader)
    if (next === close || next === ',') reader.at += 1
    else stop(reader, ended(reader, `a comma or ${close}`))
    if (next === close) break
  }
  return items
}

function readNode(reader: Reader, depth = 0): JsonNode | undefined {
  const first = skip(reader)
  const start = reader.at
  if (first !== '{' && first !== '[') return readScalar(reader)
  if (depth >= MOST_NESTED) return stop(reader, `nested more than ${MOST_NESTED} levels deep`)
  if (first === '[') {
    const items = readItems(reader, ']', () => readNode(reader, depth + 1))
    return { start, end: reader.at, value: undefined, items }
  }
  const members = readItems(reader, '}', () => readMember(reader, depth + 1))
  return { start, end: reader.at, value: undefined, members }
}

/** Parses JSON up to the first error, with the position of every value. Never throws. */
export function readJson(bytes: Uint8Array): JsonText {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const reader: Reader = { text, at: 0, broken: undefined }
  const root = readNode(reader)
  if (root !== undefined && reader.broken === undefined && skip(reader) !== '') {
    stop(reader, 'unexpected text after the end of the value')
  }
  return { root, broken: reader.broken }
}

/** The value at a path of names; of duplicate names the last, as in JSON.parse. */
export function at(node: JsonNode | undefined, ...path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(
    (inner, key) => inner?.members?.findLast((member) => member.key === key)?.node,
    node,
  )
}

/** The value if it is a string, otherwise undefined. */
export function textOf(node: JsonNode | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined
}
