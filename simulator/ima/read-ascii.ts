import { cat, filled, fromHex, u32le } from '../tpm/write.ts'
import { type Format, fieldNamesOf, fieldsOf } from './fields.ts'
import { type ImaEntry, isViolation, type LocatedEntry } from './list.ts'
import { templateHashHolds } from './template.ts'

/** Thrown at the first invalid line of a text list. */
export class BrokenLine extends Error {
  override readonly name = 'BrokenLine'
  readonly offset: number

  constructor(offset: number, why: string) {
    super(`IMA list at byte ${offset}: ${why}`)
    this.offset = offset
  }
}

/** An entry of a text list, and what its text leaves undetermined. */
interface AsciiEntry extends LocatedEntry {
  /** False if the template data cannot be reconstructed from the text: unknown template, or invalid digits. */
  readonly whole: boolean
  /** Number of lines of the text: more than one if its name contains newlines. */
  readonly lines: number
  /** Whether a newline ends it. */
  readonly ended: boolean
}

/** Bytes as text, one character per byte, so that positions are offsets. */
type Latin1 = string

interface Head {
  readonly pcr: number
  readonly hash: string
  readonly template: string
  readonly columns: Latin1
  /** Offset of the columns in the line. */
  readonly at: number
}

/** Maximum number of lines of one entry: a name may contain newlines. */
const MOST_LINES = 16
const HEAD = /^ *(\d{1,10}) ([0-9a-fA-F]*) (\S+) ?/

function bytesOf(characters: Latin1): Uint8Array {
  return new Uint8Array(Buffer.from(characters, 'latin1'))
}

function readHead(line: Latin1): Head | undefined {
  const found = HEAD.exec(line)
  if (found === null) return undefined
  const [head, pcr, hash = '', template = ''] = found
  if (hash.length !== 40) return undefined
  const columns = line.slice(head.length)
  return { pcr: Number(pcr), hash, template, columns, at: head.length }
}

function hexOf(digits: Latin1): Uint8Array | undefined {
  return digits.length % 2 === 0 && !/[^0-9a-fA-F]/.test(digits) ? fromHex(digits) : undefined
}

function digestField(column: Latin1): Uint8Array | undefined {
  const colon = column.lastIndexOf(':')
  const digits = hexOf(column.slice(colon + 1))
  return digits && cat(bytesOf(column.slice(0, colon + 1)), Uint8Array.of(0), digits)
}

/** Kernel sizes of numbers: user and group 32 bits, mode 16. */
function uintField(id: string, column: Latin1): Uint8Array | undefined {
  if (!/^\d{1,10}$/.test(column)) return undefined
  const wide = u32le(Number(column) >>> 0)
  return id === 'imode' ? wide.subarray(0, 2) : wide
}

function fieldBytes(id: string, format: Format, column: Latin1): Uint8Array | undefined {
  // An absent value is an empty field; a name is always present, possibly empty.
  if (column === '' && !id.startsWith('n')) return filled(0)
  switch (format) {
    case 'string':
      return cat(bytesOf(column), Uint8Array.of(0))
    case 'digest-with-algorithm':
      return digestField(column)
    case 'uint':
      return uintField(id, column)
    default:
      return hexOf(column)
  }
}

/** Splits at single blanks; a name keeps its blanks, and missing columns are empty. */
function cutColumns(columns: Latin1, ids: readonly string[]): readonly Latin1[] {
  const pieces = columns.split(' ')
  const surplus = pieces.length - ids.length
  if (surplus <= 0) return [...pieces, ...Array.from({ length: -surplus }, () => '')]
  return [pieces[0] ?? '', pieces.slice(1, 2 + surplus).join(' '), ...pieces.slice(2 + surplus)]
}

function offsetsOf(columns: readonly Latin1[], start: number): readonly number[] {
  let at = start
  return columns.map((column) => {
    const here = at
    at += column.length + 1
    return here
  })
}

type Candidate = Pick<AsciiEntry, 'entry' | 'fieldOffsets' | 'whole'>

/** Reads the entry of a stretch of text; if its data cannot be reconstructed, its fields are the columns. */
function readEntry(stretch: Latin1, offset: number): Candidate | undefined {
  const head = readHead(stretch)
  if (head === undefined) return undefined
  const { pcr, template } = head
  const ids = fieldNamesOf(template) ?? []
  const columns = ids.length === 0 ? head.columns.split(' ') : cutColumns(head.columns, ids)
  const fields = fieldsFrom(template, ids, columns)
  const whole = fields.every((field) => field !== undefined)
  const made = fields.map((field, at) => field ?? bytesOf(columns[at] ?? ''))
  const entry: ImaEntry = { pcr, templateHash: fromHex(head.hash), template, fields: made }
  return { entry, whole, fieldOffsets: offsetsOf(columns, offset + head.at) }
}

/** Only the original template stores its name without a terminator. */
function fieldsFrom(
  template: string,
  ids: readonly string[],
  columns: readonly Latin1[],
): readonly (Uint8Array | undefined)[] {
  const formats = fieldsOf(template) ?? []
  return columns.map((column, at) => {
    const format = formats[at]?.format
    if (format === undefined) return undefined
    const bare = template === 'ima' && format === 'string'
    return bare ? bytesOf(column) : fieldBytes(ids[at] ?? '', format, column)
  })
}

function proves({ entry, whole }: Candidate): boolean {
  return whole && !isViolation(entry) && templateHashHolds(entry)
}

/**
 * Returns how many lines from `from` on belong to the entry that begins there: as many as make its template hash
 * match.
 */
function countLines(lines: readonly Latin1[], from: number): number {
  const most = Math.min(MOST_LINES, lines.length - from)
  for (let count = 1; count <= most; count += 1) {
    const candidate = readEntry(lines.slice(from, from + count).join('\n'), 0)
    if (candidate === undefined || isViolation(candidate.entry)) break
    if (proves(candidate)) return count
  }
  // Without a matching hash, the following lines that do not look like an entry belong to this one's name.
  let count = 1
  while (count < most && readHead(lines[from + count] ?? '') === undefined) count += 1
  return count
}

/**
 * Reads a text list as the kernel prints it, entry by entry. A name may contain newlines, even text that looks like
 * an entry: the template hash decides where an entry ends, and if it does not, the look of the line. Throws
 * BrokenLine at a line that begins no entry.
 */
export function* readAsciiList(bytes: Uint8Array): Generator<AsciiEntry> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const lines = all.split('\n')
  const ended = lines.at(-1) === ''
  if (ended) lines.pop()
  let offset = 0
  for (let at = 0; at < lines.length; ) {
    const count = countLines(lines, at)
    const stretch = lines.slice(at, at + count).join('\n')
    const read = readEntry(stretch, offset)
    if (read === undefined) throw new BrokenLine(offset, whyNoEntry(lines[at] ?? ''))
    const last = at + count === lines.length
    const length = stretch.length + (last && !ended ? 0 : 1)
    yield { ...read, offset, length, lines: count, ended: !last || ended }
    offset += length
    at += count
  }
}

function whyNoEntry(line: Latin1): string {
  if (line === '') return 'empty line; an entry begins with its PCR number'
  if (!/^ *\d{1,10}( |$)/.test(line)) return 'the line does not begin with a PCR number and a blank'
  const digits = /^ *\d+ ?([^ ]*)/.exec(line)?.[1] ?? ''
  if (!/^[0-9a-fA-F]{40}$/.test(digits)) {
    return `the template hash has ${digits.length} characters; 40 hexadecimal digits expected`
  }
  return 'the line ends before the name of the template'
}
