import { fromHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { HashAlgorithm } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import {
  contentOf,
  hashMatches,
  type ImaEntry,
  type ImaItem,
  isViolation,
  type Unreadable,
} from './entry.ts'
import { fieldsFromText, templateByName, templateData } from './templates.ts'

/** Most lines that one entry may take; bounds the work on a list whose hashes are all wrong. */
const MAX_LINES = 8

/**
 * Entries whose hash never fits for which more lines are tried; one of them already breaks the chain, so that there
 * is nothing to find in the rest of such a list but work.
 */
const MAX_FAILED_JOINS = 256

const NEWLINE = 10

interface Candidate {
  readonly item: ImaItem
  readonly end: number
}

/**
 * Reads an ASCII measurement list.
 *
 * The kernel prints a newline in a file name as it is, so a line is not always an entry: an entry ends at the first
 * newline at which its template hash is right. When it never is, the single line is the entry, to be reported by
 * whoever judges it. Empty lines are separators. The work is linear in the bytes, whatever they are.
 *
 * @param hash algorithm of the template hash column (`log_hash_alg`)
 */
export function parseAsciiList(bytes: Uint8Array, hash: HashAlgorithm): readonly ImaItem[] {
  const items: ImaItem[] = []
  let joins = MAX_FAILED_JOINS
  let start = 0
  while (start < bytes.length) {
    if (bytes[start] === NEWLINE) {
      start += 1
      continue
    }
    const single = readLines(bytes, start, items.length, 1, hash)
    const tried = !isSettled(single.item) && joins > 0
    const joined = tried ? readJoined(bytes, start, single, hash) : undefined
    if (tried && !joined) joins -= 1
    const { item, end } = joined ?? single
    items.push(item)
    start = end + 1
  }
  return items
}

/** The entry of two or more lines that begins at `start`, when its hash fits. */
function readJoined(
  bytes: Uint8Array,
  start: number,
  single: Candidate,
  hash: HashAlgorithm,
): Candidate | undefined {
  let end = single.end
  for (let lines = 2; lines <= MAX_LINES && end < bytes.length; lines++) {
    const joined = readLines(bytes, start, single.item.number, lines, hash, end + 1)
    if (joined.item.kind === 'entry' && hashMatches(joined.item)) return joined
    end = joined.end
  }
  return undefined
}

/** Whether more lines cannot make this a better entry. */
function isSettled(item: ImaItem): boolean {
  if (item.kind === 'unreadable') return !item.mayContinue
  return hashMatches(item) || isViolation(item)
}

function readLines(
  bytes: Uint8Array,
  start: number,
  number: number,
  lines: number,
  hash: HashAlgorithm,
  from = start,
): Candidate {
  const newline = bytes.indexOf(NEWLINE, from)
  const end = newline < 0 ? bytes.length : newline
  return { item: parseEntry(bytes.subarray(start, end), number, lines, hash), end }
}

function parseEntry(
  bytes: Uint8Array,
  number: number,
  lines: number,
  hash: HashAlgorithm,
): ImaItem {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const columns = /^( \d|[1-9]\d) ([0-9a-f]+) (\S+) (.*)$/s.exec(text)
  const [, pcr = '', templateHash = '', name = '', rest = ''] = columns ?? []
  const unreadable = (why: string, mayContinue = false): Unreadable => {
    return { kind: 'unreadable', number, lines, why, bytes, mayContinue }
  }
  if (!columns) return unreadable('expected PCR, template hash, template name and data')
  if (templateHash.length !== hash.size * 2)
    return unreadable(`a template hash of ${templateHash.length} digits, expected ${hash.size * 2}`)
  const template = templateByName(name)
  if (!template) return unreadable(`template ${JSON.stringify(name.slice(0, 64))} is not known`)
  try {
    const fields = fieldsFromText(template, rest)
    const data = templateData(template, fields)
    return {
      kind: 'entry',
      number,
      lines,
      pcr: Number(pcr),
      templateHash: fromHex(templateHash),
      template: name,
      data,
      dataHash: digestOf(hash, data),
      content: contentOf(template, fields),
    } satisfies ImaEntry
  } catch (error) {
    if (error instanceof WireError) return unreadable(error.message, true)
    throw error
  }
}
