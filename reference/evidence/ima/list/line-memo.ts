import type { RuntimePolicy } from '../policy/runtime-policy.ts'
import type { ByteText } from './replay.ts'

/** Characters of lines that one generation keeps; two generations are kept. */
const CAPACITY = 32 * 1024 * 1024

/** Lines longer than any real path are not cached: an attester must not fill the memory with them. */
const MAX_LINE = 16 * 1024

/** Enough of a line to hold its template hash: lines that share it are few, and it is quick to look up. */
const HEAD = 44

interface KnownLine {
  readonly line: ByteText
  readonly values: ByteText
}

/**
 * Lines that passed before, each with the values it extends.
 * A line is found by its full text, never by its position: its meaning does not depend on the lines before it.
 * When a generation is full it becomes the old one, and lines that are not used again are evicted with it.
 */
export class LineTable {
  #young = new Map<ByteText, KnownLine>()
  #old: ReadonlyMap<ByteText, KnownLine> = new Map()
  #characters = 0
  readonly #capacity: number

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
  }

  get(line: ByteText): ByteText | undefined {
    const head = line.slice(0, HEAD)
    const found = this.#young.get(head)
    if (found?.line === line) return found.values
    const older = this.#old.get(head)
    if (older?.line !== line) return undefined
    this.set(line, older.values)
    return older.values
  }

  set(line: ByteText, values: ByteText): void {
    if (line.length > MAX_LINE) return
    if (this.#characters + line.length > this.#capacity) this.#age()
    this.#young.set(line.slice(0, HEAD), { line, values })
    this.#characters += line.length
  }

  #age(): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#characters = 0
  }
}

/**
 * The lines that a verifier remembers between evaluations with the same checks, separately for each policy and kind of replay.
 * It goes when the policy object goes.
 */
export class LineMemo {
  readonly #byPolicy = new WeakMap<RuntimePolicy, Map<string, LineTable>>()
  readonly #capacity: number

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
  }

  /** @param replay key of the values of a line: form of the list, hash of its column, banks and rules */
  tableFor(policy: RuntimePolicy, replay: string): LineTable {
    const tables = this.#byPolicy.get(policy) ?? new Map<string, LineTable>()
    this.#byPolicy.set(policy, tables)
    const table = tables.get(replay) ?? new LineTable(this.#capacity)
    tables.set(replay, table)
    return table
  }
}
