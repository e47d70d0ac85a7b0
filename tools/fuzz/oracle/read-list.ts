import { writeAsciiEntry } from '../../../simulator/ima/ascii.ts'
import { type ImaEntry, isViolation } from '../../../simulator/ima/list.ts'
import { extendValues, templateHashHolds } from '../../../simulator/ima/template.ts'
import { type Bank, digest, HASHES } from '../../../simulator/tpm/hash.ts'
import { cat, equal, filled, fromHex, text } from '../../../simulator/tpm/write.ts'
import type { ClaimedList } from './claim.ts'

/** What can be said of a list for certain. */
export type ListReading =
  /** It has a line that is not exactly as a kernel prints one, or that may be part of a name: nothing is said of it. */
  | { readonly kind: 'unclear' }
  /** No beginning of it gives the quoted PCR 10. */
  | { readonly kind: 'unquoted' }
  /** The entries that the quoted PCR 10 covers. */
  | { readonly kind: 'quoted'; readonly entries: readonly ImaEntry[] }

const IMA_PCR = 10
const DIGEST = /^([a-z0-9]+):((?:[0-9a-f]{2})+)$/

/** The fields of the templates read here, from their columns; undefined for other templates. */
function fieldsOf(template: string, columns: readonly string[]): readonly Uint8Array[] | undefined {
  const [head = '', name = '', extra] = columns
  const [, algorithm, hex] = DIGEST.exec(head) ?? []
  if (algorithm === undefined || hex === undefined) return undefined
  const fields = [cat(text(`${algorithm}:`), filled(1), fromHex(hex)), cat(text(name), filled(1))]
  if (template === 'ima-ng') return columns.length === 2 ? fields : undefined
  if (template !== 'ima-sig' && template !== 'ima-buf') return undefined
  if (columns.length !== 3 || !/^(?:[0-9a-f]{2})*$/.test(extra ?? '')) return undefined
  return [...fields, fromHex(extra ?? '')]
}

/** An entry of one line, only when the kernel would print that entry so. */
function entryOf(line: string): ImaEntry | undefined {
  const [, pcr, hash, template, rest] = /^ ?(\d{1,2}) ([0-9a-f]{40}) (\S+) (.*)$/.exec(line) ?? []
  const fields = template && rest ? fieldsOf(template, rest.split(' ')) : undefined
  if (pcr === undefined || hash === undefined || template === undefined || !fields) return undefined
  const entry = { pcr: Number(pcr), templateHash: fromHex(hash), template, fields }
  return equal(writeAsciiEntry(entry), text(`${line}\n`)) ? entry : undefined
}

function entriesOf(bytes: Uint8Array): readonly ImaEntry[] | undefined {
  const lines = new TextDecoder().decode(bytes).split('\n')
  if (lines.pop() !== '') return undefined
  const entries = lines.map(entryOf)
  return entries.every((entry) => entry !== undefined)
    ? (entries as readonly ImaEntry[])
    : undefined
}

/** Number of entries after which PCR 10 has the quoted value; undefined when it never has. */
function coveredBy(entries: readonly ImaEntry[], start: Uint8Array, quoted: Uint8Array) {
  let value = start
  if (equal(value, quoted)) return 0
  for (const [at, entry] of entries.entries()) {
    if (entry.pcr === IMA_PCR) value = digest('sha256', cat(value, extendValues(entry).sha256))
    if (equal(value, quoted)) return at + 1
  }
  return undefined
}

/** Reads a list that a quote of SHA-256 is to cover; `quoted` is PCR 10 as claimed. */
export function readList(
  { text: bytes, start }: ClaimedList,
  quoted: Uint8Array | undefined,
): ListReading {
  const entries = entriesOf(bytes)
  if (entries === undefined || quoted === undefined) return { kind: 'unclear' }
  const covered = coveredBy(entries, start, quoted)
  return covered === undefined
    ? { kind: 'unquoted' }
    : { kind: 'quoted', entries: entries.slice(0, covered) }
}

/** Whether an entry, not being a violation, lists another template hash than that of its fields. */
export function liesAboutItsHash(entry: ImaEntry): boolean {
  return !isViolation(entry) && !templateHashHolds(entry)
}

/** Whether an entry says that its file was written while it was measured. */
export function isListedViolation(entry: ImaEntry): boolean {
  return entry.pcr === IMA_PCR && isViolation(entry)
}

/** Whether an entry of a buffer has another digest than that of its buffer; hashes that are not known here are not spoken of. */
export function isFalseBuffer({ template, fields }: ImaEntry): boolean {
  const [head = filled(0), , buffer = filled(0)] = fields
  const bank = new TextDecoder().decode(head.subarray(0, head.indexOf(0) - 1))
  if (template !== 'ima-buf' || !(bank in HASHES)) return false
  return !equal(head.subarray(head.indexOf(0) + 1), digest(bank as Bank, buffer))
}
