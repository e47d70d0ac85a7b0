import { type Check, runChecks } from '../check.ts'
import type { Finding } from '../findings.ts'
import { type LearnedKey, learnKey } from './buffer-checks.ts'
import { BOOT_AGGREGATE, type ImaEntryCase, isReadEntry } from './entry-case.ts'
import { LimitedFindings } from './limited-findings.ts'
import { type ImaItem, isViolation, type ListVisitor } from './list/entry.ts'
import type { LineTable } from './list/line-memo.ts'
import { type ByteText, IMA_PCR, type ImaReplay } from './list/replay.ts'

/** What every entry of a list is checked against. */
type EntryContext = Omit<ImaEntryCase, 'item'>

/** Checks and replays a list in one pass, so that no entry is kept in memory. */
export class ListEvaluation implements ListVisitor {
  readonly recall?: (list: Buffer, start: number, end: number) => boolean
  readonly #context: EntryContext
  readonly #checks: readonly Check<ImaEntryCase>[]
  readonly #replay: ImaReplay
  readonly #table: LineTable | undefined
  readonly #findings = new LimitedFindings()
  readonly #learned: (LearnedKey & { readonly entries: number })[] = []
  #bootAggregateAt: number | undefined
  #entries = 0
  #lines = 0
  #hashedBytes = 0
  /** that was asked for last */
  #line: ByteText = ''

  constructor(
    context: EntryContext,
    checks: readonly Check<ImaEntryCase>[],
    replay: ImaReplay,
    table?: LineTable,
  ) {
    this.#context = context
    this.#checks = checks
    this.#replay = replay
    this.#table = table
    if (table) this.recall = (list, start, end) => this.#recall(table, list, start, end)
  }

  get findings(): readonly Finding[] {
    return this.#findings.all()
  }

  /** entries of the list, readable or not */
  get entries(): number {
    return this.#entries
  }

  /** lines of the list in ASCII that they take */
  get lines(): number {
    return this.#lines
  }

  /** number of the first entry called `boot_aggregate`, from 1 */
  get bootAggregateAt(): number | undefined {
    return this.#bootAggregateAt
  }

  /** bytes of hashed template data of all entries */
  get hashedBytes(): number {
    return this.#hashedBytes
  }

  /** Keys that the first `entries` entries of the list taught. */
  learnedWithin(entries: number): readonly LearnedKey[] {
    return this.#learned
      .filter((each) => each.entries <= entries)
      .map(({ entries: _, ...key }) => key)
  }

  visit(item: ImaItem): void {
    const { policy, ignoreTomtouErrors, bootAggregates, signers } = this.#context
    const subject = { item, policy, ignoreTomtouErrors, bootAggregates, signers }
    const found = runChecks(this.#checks, subject)
    this.#findings.add(found)
    const key = learnKey(item, policy, signers)
    if (key) this.#learned.push({ ...key, entries: this.#entries + 1 })
    const values = this.#extend(item)
    if (isBootAggregate(item)) this.#bootAggregateAt ??= this.#entries
    if (this.#table && values !== undefined && found.length === 0 && this.#rests(item))
      this.#table.set(this.#line, values)
  }

  #recall(table: LineTable, list: Buffer, start: number, end: number): boolean {
    this.#line = list.toString('latin1', start, end)
    const values = table.get(this.#line)
    if (values === undefined) return false
    this.#entries += 1
    this.#lines += 1
    this.#replay.extend(values, this.#entries, this.#lines)
    return true
  }

  /** Extends an entry of PCR 10; the values are kept only when they are whole. */
  #extend(item: ImaItem): ByteText | undefined {
    this.#entries += 1
    this.#lines += item.lines
    if (item.kind !== 'entry') return undefined
    this.#hashedBytes += item.data.length
    if (item.pcr !== IMA_PCR || this.#replay.isOver) return undefined
    const values = this.#replay.valuesOf(item)
    this.#replay.extend(values, this.#entries, this.#lines)
    return values
  }

  /** Whether the verdict on an entry rests on its line, which was asked for last, and on the policy alone. */
  #rests(item: ImaItem): boolean {
    if (item.kind !== 'entry' || item.lines > 1 || isViolation(item)) return false
    // A buffer may hold a key for later entries.
    if ('invalid' in item.content || item.content.buffer !== undefined) return false
    const { digest, name } = item.content
    if (name === BOOT_AGGREGATE) return false
    return this.#context.policy?.allows(name, digest.hex) ?? false
  }
}

function isBootAggregate(item: ImaItem): boolean {
  if (!isReadEntry(item)) return false
  const { name, buffer } = item.content
  return name === BOOT_AGGREGATE && buffer === undefined
}
