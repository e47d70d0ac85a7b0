import { isViolation, readImaList } from '../../../simulator/ima/list.ts'
import { BrokenLine, readAsciiList } from '../../../simulator/ima/read-ascii.ts'
import { templateHashHolds } from '../../../simulator/ima/template.ts'
import { ShortRead } from '../../../simulator/tpm/cursor.ts'
import { equal, toHex } from '../../../simulator/tpm/write.ts'
import type { Broken, Entry, Fact, ImaFacts, Inspection, Source } from '../inspection.ts'
import { compareAggregate, comparePcrs } from '../quote/compare-pcrs.ts'
import { brokenForm } from '../quote/inspect-quote.ts'
import type { PublishedPcrs } from '../quote/pcr-file.ts'
import { whyShort } from '../read-fields.ts'
import { IMA_PCR, startReplay } from '../replay.ts'
import { safe } from '../show.ts'
import { collectWarnings, type Warnings } from '../warnings.ts'
import { entryFields, splitDigest } from './entry-fields.ts'
import { BOOT_AGGREGATE, entryName, type SeenEntry, warnOfEntry } from './entry-warnings.ts'
import type { ImaSource } from './ima-source.ts'

const LIST_PART = 'IMA list'
const ABOUT =
  'An IMA measurement list: every file that the kernel measured since boot, oldest first. Each entry extends PCR 10, so replaying the list must give the value that a quote proves.'

const NO_LIST: Broken = {
  part: LIST_PART,
  offset: 0,
  path: '',
  why: 'the list is empty, but a kernel with IMA writes at least boot_aggregate',
}

interface ImaRequest {
  /** Number of entries to show, from the first. */
  readonly entries: number
  readonly published?: PublishedPcrs | undefined
}

/** Counts of a list that is read in one pass. */
interface Tally {
  entries: number
  violations: number
  readonly templates: Map<string, number>
  readonly shown: Entry[]
  aggregate: ImaFacts['boot_aggregate']
  broken: Broken | undefined
}

type Read = Pick<SeenEntry, 'located' | 'whole'> & { readonly ended: boolean }

function* readEntries({ blob, format }: ImaSource): Generator<Read> {
  if (format === 'binary') {
    for (const located of readImaList(blob.bytes)) yield { located, whole: true, ended: true }
    return
  }
  for (const located of readAsciiList(blob.bytes)) {
    yield { located, whole: located.whole, ended: located.ended }
  }
}

function holdsOf({ located: { entry }, whole }: Read): boolean | null {
  return isViolation(entry) || !whole ? null : templateHashHolds(entry)
}

function presentEntry({ number, located, hashHolds }: SeenEntry): Entry {
  const { entry, offset, length } = located
  return {
    number,
    offset,
    length,
    pcr: entry.pcr,
    template: safe(entry.template),
    template_hash: toHex(entry.templateHash),
    hash_holds: hashHolds,
    violation: isViolation(entry),
    fields: entryFields(located),
  }
}

/** Describes a read error. A large PCR number indicates a big-endian list. */
function brokenBy(error: unknown, bytes: Uint8Array): Broken {
  if (error instanceof BrokenLine) {
    const why = error.message.replace(/^IMA list at byte \d+: /, '')
    return { part: LIST_PART, offset: error.offset, path: '', why }
  }
  if (!(error instanceof ShortRead)) throw error
  const bigEndian = equal(bytes.subarray(0, 4), Uint8Array.of(0, 0, 0, IMA_PCR))
  const hint = bigEndian ? '; its numbers are big-endian, as a big-endian kernel writes them' : ''
  return { part: LIST_PART, offset: error.offset, path: error.path, why: whyShort(error) + hint }
}

function aggregateOf({ number, located }: SeenEntry): ImaFacts['boot_aggregate'] {
  if (new TextDecoder().decode(entryName(located)) !== BOOT_AGGREGATE) return null
  const { algorithm, digest } = splitDigest(located.entry.fields[0] ?? new Uint8Array())
  return { entry: number, digest: `${safe(algorithm)}:${toHex(digest)}` }
}

function count(tally: Tally, seen: SeenEntry): void {
  const { entry } = seen.located
  const template = safe(entry.template)
  tally.violations += isViolation(entry) ? 1 : 0
  tally.templates.set(template, (tally.templates.get(template) ?? 0) + 1)
  tally.aggregate ??= aggregateOf(seen)
}

/** A last line without a newline may be truncated; its template hash decides. */
function endOfText(
  { ended, located }: Read,
  holds: boolean | null,
  warnings: Warnings,
): Broken | undefined {
  if (ended) return undefined
  const end = located.offset + located.length
  if (holds === true) {
    const says = 'the last line has no newline'
    warnings.add('no-final-newline', { part: LIST_PART, offset: end, path: '', says })
    return undefined
  }
  const why =
    'the text ends inside this entry: it has no newline, and its template hash does not match'
  return { part: LIST_PART, offset: end, path: '', why }
}

/** Processes a list entry by entry in one pass, because a list may be large. */
function readList(
  source: ImaSource,
  request: ImaRequest,
  warnings: Warnings,
  onEntry: (read: Read) => void,
): Tally {
  const tally: Tally = {
    entries: 0,
    violations: 0,
    templates: new Map(),
    shown: [],
    aggregate: null,
    broken: undefined,
  }
  try {
    for (const read of readEntries(source)) {
      const hashHolds = holdsOf(read)
      tally.broken = endOfText(read, hashHolds, warnings)
      if (tally.broken !== undefined) break
      tally.entries += 1
      const seen = { number: tally.entries, ...read, hashHolds }
      count(tally, seen)
      if (tally.entries <= request.entries) tally.shown.push(presentEntry(seen))
      warnOfEntry(seen, warnings)
      onEntry(read)
    }
  } catch (error) {
    tally.broken = brokenBy(error, source.blob.bytes)
  }
  if (source.blob.bytes.length === 0 && source.broken.length === 0) tally.broken = NO_LIST
  return tally
}

function warnOfList({ blob, format }: ImaSource, tally: Tally, warnings: Warnings): void {
  const place = { part: LIST_PART, offset: 0, path: 'entry 1' }
  if (tally.entries > 0 && tally.aggregate?.entry !== 1) {
    warnings.add('no-boot-aggregate', { ...place, says: 'the first entry has another name' })
  }
  const carriage = format === 'ascii' ? Buffer.from(blob.bytes).indexOf('\r\n') : -1
  if (carriage !== -1) {
    warnings.add('carriage-return', {
      ...place,
      offset: carriage,
      path: '',
      says: 'a line ends with CR LF',
    })
  }
}

/** Decodes an IMA list, replays it, and compares the result with published PCR values. */
export function inspectImalog(
  source: ImaSource,
  sources: readonly Source[],
  request: ImaRequest,
): Inspection {
  const warnings = collectWarnings()
  const replay = startReplay(request.published)
  const tally = readList(source, request, warnings, ({ located, whole }) =>
    replay.add(located.entry, whole),
  )
  warnOfList(source, tally, warnings)
  const rows = replay.rows()
  const ima: ImaFacts = {
    format: source.format,
    entries: tally.entries,
    violations: tally.violations,
    templates: [...tally.templates].map(([name, number]) => ({ name, count: number })),
    boot_aggregate: tally.aggregate,
    replay: rows,
    shown: tally.shown,
  }
  const comparisons = [
    ...comparePcrs(ima, request.published, warnings),
    ...compareAggregate(ima, request.published),
  ]
  const breaks = source.broken.map(({ offset, why }) => ({ part: 'text', offset, path: '', why }))
  return {
    kind: 'imalog',
    about: ABOUT,
    sources,
    facts: factsOf(ima),
    parts: [],
    comparisons,
    broken: [
      ...breaks,
      ...brokenForm(LIST_PART, source.blob, warnings),
      ...(tally.broken ? [tally.broken] : []),
    ],
    warnings: warnings.list(),
    ima,
    eventlog: null,
    policy: null,
  }
}

function factsOf({
  format,
  entries,
  templates,
  violations,
  boot_aggregate,
}: ImaFacts): readonly Fact[] {
  const description =
    format === 'ascii'
      ? 'text (ascii_runtime_measurements)'
      : 'binary (binary_runtime_measurements)'
  const counts = templates.map(({ name, count }) => `${count} ${name}`).join(', ')
  return [
    { name: 'format', value: description },
    { name: 'entries', value: `${entries}${counts === '' ? '' : ` (${counts})`}` },
    { name: 'violations', value: `${violations}` },
    {
      name: 'boot_aggregate',
      value:
        boot_aggregate === null
          ? 'missing'
          : `entry ${boot_aggregate.entry}, ${boot_aggregate.digest.slice(0, 20)}…: the hash of PCR 0-9 when IMA started`,
    },
  ]
}
