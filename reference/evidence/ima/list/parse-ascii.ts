import { WireError } from '../../../bytes/wire-error.ts'
import type { HashAlgorithm } from '../../../tpm/algorithms.ts'
import { digestHex } from '../../../tpm/digest.ts'
import { contentOf } from './content-of.ts'
import {
  collectItems,
  hashMatches,
  type ImaItem,
  isViolation,
  type ListVisitor,
  type Unreadable,
} from './entry.ts'
import { TemplateData } from './template-data.ts'
import { type Template, templateByName, writeTemplateData } from './templates.ts'

/** Most lines that one entry may take; bounds the work on a list whose hashes are all wrong. */
const MAX_LINES = 8

/**
 * Entries whose hash never fits for which more lines are tried; one of them already breaks the chain, so that there
 * is nothing to find in the rest of such a list but work.
 */
const MAX_FAILED_JOINS = 256

const NEWLINE = 10

/** Every item of an ASCII list, see {@link readAsciiList}. */
export function parseAsciiList(list: Uint8Array, hash: HashAlgorithm): readonly ImaItem[] {
  return collectItems((visitor) => readAsciiList(list, hash, visitor))
}

/**
 * Reads an ASCII measurement list.
 *
 * The kernel prints a newline in a file name as it is, so a line is not always an entry: an entry ends at the first
 * newline at which its template hash is right. When it never is, the single line is the entry, which the entry
 * checks then report. Empty lines are separators. The work is linear in the bytes for any input.
 *
 * @param hash algorithm of the template hash column (`log_hash_alg`)
 */
export function readAsciiList(list: Uint8Array, hash: HashAlgorithm, visitor: ListVisitor): void {
  const reader = new AsciiReader(list, hash, visitor)
  for (let start = 0; start < list.length; ) start = reader.next(start) + 1
}

interface Joined {
  readonly item: ImaItem
  readonly end: number
}

class AsciiReader {
  readonly #list: Buffer
  readonly #hash: HashAlgorithm
  readonly #visitor: ListVisitor
  readonly #data = new TemplateData()
  readonly #hashDigits: number
  #template: Template | undefined
  #joinsLeft = MAX_FAILED_JOINS
  #number = 0

  constructor(list: Uint8Array, hash: HashAlgorithm, visitor: ListVisitor) {
    this.#list = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
    this.#hash = hash
    this.#hashDigits = hash.size * 2
    this.#visitor = visitor
  }

  /** Reads the entry that begins at `start`, and returns where it ends. */
  next(start: number): number {
    const end = this.#lineEnd(start)
    if (end === start) return end
    const number = this.#number++
    if (this.#visitor.recall?.(this.#list, start, end)) return end
    const single = this.#read(start, end, number, 1)
    if (isSettled(single) || this.#joinsLeft === 0) {
      this.#visitor.visit(single)
      return end
    }
    const joined = this.#join(start, end, number)
    if (!joined) this.#joinsLeft -= 1
    // Read again: the buffer no longer holds the first reading.
    this.#visitor.visit(joined?.item ?? this.#read(start, end, number, 1))
    return joined?.end ?? end
  }

  #lineEnd(from: number): number {
    const newline = this.#list.indexOf(NEWLINE, from)
    return newline < 0 ? this.#list.length : newline
  }

  /** The entry of two or more lines that begins at `start`, when its hash fits. */
  #join(start: number, firstEnd: number, number: number): Joined | undefined {
    let end = firstEnd
    for (let lines = 2; lines <= MAX_LINES && end < this.#list.length; lines++) {
      end = this.#lineEnd(end + 1)
      const item = this.#read(start, end, number, lines)
      if (item.kind === 'entry' && hashMatches(item)) return { item, end }
    }
    return undefined
  }

  #read(start: number, end: number, number: number, lines: number): ImaItem {
    const hashAt = start + 3
    const nameAt = hashAt + this.#hashDigits + 1
    const list = this.#list
    const pcr = readPcr(list, start)
    const columns = pcr >= 0 && list[hashAt - 1] === BLANK && list[nameAt - 1] === BLANK
    // Only behind two blanks: else a list without any would be searched to its end once a line.
    const nameEnd = columns && nameAt < end ? list.indexOf(BLANK, nameAt) : -1
    if (nameEnd <= nameAt || nameEnd >= end)
      return unreadable(list.subarray(start, end), number, lines, this.#complaint(start, end))
    const template = this.#templateAt(nameAt, nameEnd)
    if (!template) {
      const name = list.toString('latin1', nameAt, Math.min(nameEnd, nameAt + 64))
      const why = `template ${JSON.stringify(name)} is not known`
      return unreadable(list.subarray(start, end), number, lines, why)
    }
    try {
      writeTemplateData(this.#data, template, list, nameEnd + 1, end)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      return unreadable(list.subarray(start, end), number, lines, error.message, true)
    }
    const data = this.#data.bytes()
    const dataHash = digestHex(this.#hash, data)
    const templateHash = standsAt(list, hashAt, dataHash)
      ? dataHash
      : list.toString('latin1', hashAt, nameAt - 1)
    if (templateHash !== dataHash && !HEX.test(templateHash))
      return unreadable(list.subarray(start, end), number, lines, this.#complaint(start, end))
    return {
      kind: 'entry',
      number,
      lines,
      pcr,
      templateHash,
      template: template.name,
      data,
      dataHash,
      content: contentOf(template, data),
    }
  }

  /** Why the columns of a line cannot be separated. */
  #complaint(start: number, end: number): string {
    const text = this.#list.toString('latin1', start, Math.min(end, start + 512))
    const digits = /^(?: \d|[1-9]\d) ([0-9a-f]+) \S+ /.exec(text)?.[1]?.length
    return digits === undefined || digits === this.#hashDigits
      ? 'expected PCR, template hash, template name and data'
      : `a template hash of ${digits} digits, expected ${this.#hashDigits}`
  }

  /** The template named there; most entries have that of the one before. */
  #templateAt(start: number, end: number): Template | undefined {
    const last = this.#template
    if (last && end - start === last.name.length && standsAt(this.#list, start, last.name))
      return last
    this.#template = templateByName(this.#list.toString('latin1', start, end))
    return this.#template
  }
}

const BLANK = 0x20
const ZERO = 0x30

/** The PCR column, two characters wide: ` 9` or `10`; -1 when it is not one. */
function readPcr(list: Uint8Array, start: number): number {
  const tens = list[start] ?? 0
  const ones = (list[start + 1] ?? 0) - ZERO
  if (ones < 0 || ones > 9) return -1
  if (tens === BLANK) return ones
  return tens > ZERO && tens <= ZERO + 9 ? (tens - ZERO) * 10 + ones : -1
}

/** Whether the list has that ASCII text at that offset. */
function standsAt(list: Uint8Array, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (list[start + index] !== text.charCodeAt(index)) return false
  return true
}

const HEX = /^[0-9a-f]+$/

/** Whether more lines cannot make this a better entry. */
function isSettled(item: ImaItem): boolean {
  if (item.kind === 'unreadable') return !item.mayContinue
  return hashMatches(item) || isViolation(item)
}

function unreadable(
  bytes: Uint8Array,
  number: number,
  lines: number,
  why: string,
  mayContinue = false,
): Unreadable {
  return { kind: 'unreadable', number, lines, why, bytes, mayContinue }
}
