import { readAsciiList } from '../../simulator/ima/read-ascii.ts'
import { extendValues } from '../../simulator/ima/template.ts'
import { listIn, member } from '../../simulator/services/choose-evidence.ts'
import { type Bank, digest, HASHES } from '../../simulator/tpm/hash.ts'
import { cat, equal, filled, toHex } from '../../simulator/tpm/write.ts'
import { base64, unbase64 } from '../client/bytes.ts'
import type { PushOperation } from '../peers/push-timeline.ts'
import type { Context } from '../scenario.ts'
import { chosenFor, readEvidence, seeQuote } from './push-evidence.ts'
import { takenOf } from './recording-parts.ts'

const IMA_PCR = 10

/** The measurement list entries that a push agent sent, as lines of one character for each byte: names need not be UTF-8. */
interface SentList {
  readonly form: 'raw' | 'base64'
  readonly lines: readonly string[]
}

/** Reads `entries` of a text list, plain or in base64 (ambiguity ENTRIES). */
function readSentList(entries: string): SentList {
  if (entries === '') return { form: 'raw', lines: [] }
  const form = /^\d+ [0-9a-f]/.test(entries) ? 'raw' : 'base64'
  const bytes = form === 'raw' ? Buffer.from(entries) : Buffer.from(unbase64(entries))
  const text = bytes.toString('latin1')
  return { form, lines: text.split('\n').filter((line) => line !== '') }
}

/** PCR 10 of a bank after replaying the lines from zeros, in hexadecimal; undefined if a line cannot be parsed. */
function replayLines(lines: readonly string[], bank: Bank): string | undefined {
  try {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')
    let value: Uint8Array = filled(HASHES[bank].size)
    for (const { entry } of readAsciiList(bytes)) {
      const extended = extendValues(entry)[bank]
      if (entry.pcr === IMA_PCR) value = digest(bank, cat(value, extended))
    }
    return toHex(value)
  } catch {
    return undefined
  }
}

/**
 * PCR 10 after replaying the lines: `wanted` if it has that value after the first `from` lines or more of them, else its
 * value after all.
 */
export function replayedTo(
  wanted: string | undefined,
  lines: readonly string[],
  { bank, from }: { readonly bank: Bank; readonly from: number },
): string | undefined {
  for (let count = from; count < lines.length; count++)
    if (replayLines(lines.slice(0, count), bank) === wanted) return wanted
  return replayLines(lines, bank)
}

/** The number of entries that the agent offered for an attestation; 0 if it gave none. */
function offeredCount(
  operations: readonly PushOperation[],
  { attestation }: PushOperation,
): number {
  const offer = operations.findLast(
    (one) => one.step === 'capabilities' && one.attestation?.index === attestation?.index,
  )
  const attributes = member(member(offer?.request.json, 'data'), 'attributes')
  const list = listIn(member(attributes, 'evidence_supported')).find(
    (item) => member(item, 'evidence_type') === 'ima_log',
  )
  return Number(member(member(list, 'capabilities'), 'entry_count')) || 0
}

export const LIST_REQUIREMENTS = [
  'PSH-EVIDENCE-ALL',
  'PSH-EVIDENCE-OFFSET',
  'PSH-EVIDENCE-FORMAT',
  'PSH-EVIDENCE-COUNT',
  'PSH-EVIDENCE-ENTRIES',
  'PSH-EVIDENCE-REPLAYS',
] as const

/**
 * Checks the consecutive lists of one boot: no gap, no duplicate entry, and they replay to the quoted PCR 10. Returns false
 * at evidence without a list, as nothing more can be said of those that follow it.
 */
export async function checkLists(
  { check, observe }: Context,
  operations: readonly PushOperation[],
): Promise<boolean> {
  const shown: string[] = []
  for (const operation of takenOf(operations, 'evidence')) {
    const data = readEvidence(operation).data('ima_log')
    const chosen = chosenFor(operation, 'ima_log')
    const known = operation.known?.list ?? []
    const from = Number(chosen?.['starting_offset'])
    if (from === 0) shown.length = 0
    const { entry_count: count, entries } = data ?? {}
    const isSent = check('PSH-EVIDENCE-ALL', 'whether it sent the list')
      .of(data !== undefined)
      .is(true)
    if (!isSent) return false
    check('PSH-EVIDENCE-ENTRIES', 'the type of entries')
      .of(typeof entries)
      .is('string')
    if (typeof entries !== 'string') return false
    const sent = readSentList(entries)
    check('PSH-EVIDENCE-FORMAT', 'lines as the kernel prints them')
      .of(sent.lines.filter((line) => !known.includes(line)).length)
      .is(0)
    // Fewer entries may be chosen than there are (`entry_count`); the document does not say that no more are sent.
    const to = from + Number(chosen?.['entry_count'])
    const lists = [known.slice(from), known.slice(from, to)]
    check('PSH-EVIDENCE-OFFSET', `the entries from ${from} on`)
      .of(lists.some((lines) => sent.lines.join('\n') === lines.join('\n')))
      .is(true)
    check('PSH-EVIDENCE-COUNT', 'entry_count').of<unknown>(count).is(sent.lines.length)
    shown.push(...sent.lines)
    const { bank, pcr10 } = await seeQuote(operation)
    const isPart = to < known.length
    // Entries of files that were measured after the offer may follow those that the quote covers.
    const covered = Math.max(to, offeredCount(operations, operation))
    if (!isPart || shown.length === known.length)
      check('PSH-EVIDENCE-REPLAYS', 'PCR 10 after the entries that were sent')
        .of(bank && replayedTo(pcr10, shown, { bank, from: covered }))
        .is(pcr10)
    observe('ENTRIES', 'the form of entries', sent.form)
  }
  return true
}

/** Checks that evidence has all entries of the list that its quote covers; entries after them may follow. */
export async function checkListCoversQuote(
  { check }: Pick<Context, 'check'>,
  operation: PushOperation,
): Promise<void> {
  const entries = readEvidence(operation).data('ima_log')?.['entries']
  const { lines } = readSentList(typeof entries === 'string' ? entries : '')
  const { bank, pcr10 } = await seeQuote(operation)
  const covered = lines.findIndex(
    (_, at) => bank !== undefined && replayLines(lines.slice(0, at + 1), bank) === pcr10,
  )
  check('PSH-EVIDENCE-REPLAYS', 'entries that replay to the quoted PCR 10')
    .of(covered + 1)
    .matches(`some of the ${lines.length} that were sent`, (count) => count > 0)
}

/** Checks that every firmware log is the complete log of the machine. */
export function checkBootLogs(
  { check, observe }: Context,
  requirement: string,
  operations: readonly PushOperation[],
): void {
  const sent = takenOf(operations, 'evidence').flatMap((operation) => {
    const entries = readEvidence(operation).data('uefi_log')?.['entries']
    return operation.known && chosenFor(operation, 'uefi_log')
      ? [{ entries, boot: operation.known.boot }]
      : []
  })
  observe('UEFISHAPE', 'firmware logs that were sent', sent.length)
  for (const { entries, boot } of sent)
    check(requirement, "the log is the machine's")
      .of(typeof entries === 'string' && equal(unbase64(entries), boot))
      .matches(`its ${base64(boot).length} characters of base64`, (same) => same)
}
