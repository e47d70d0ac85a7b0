import type { ByteText } from './replay.ts'
import type { RuntimePolicy } from './runtime-policy.ts'

/** Characters of lines that one generation keeps; two generations are kept. */
const CAPACITY = 32 * 1024 * 1024

/**
 * Lines that were judged good before, each with the values it extends.
 * A line is found by its whole text, never by its place: whatever stands before it in a list, it says the same.
 * When a generation is full it becomes the old one, and what is not asked for again goes with it.
 */
export class LineTable {
  #young = new Map<string, readonly ByteText[]>()
  #old: ReadonlyMap<string, readonly ByteText[]> = new Map()
  #characters = 0
  readonly #capacity: number

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
  }

  get(line: string): readonly ByteText[] | undefined {
    const found = this.#young.get(line)
    if (found !== undefined) return found
    const older = this.#old.get(line)
    if (older !== undefined) this.set(line, older)
    return older
  }

  set(line: string, values: readonly ByteText[]): void {
    if (this.#characters + line.length > this.#capacity) this.#age()
    this.#young.set(line, values)
    this.#characters += line.length
  }

  #age(): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#characters = 0
  }
}

/**
 * What a verifier remembers of lines between evaluations, for each policy and kind of replay apart.
 * It goes when the policy object goes.
 */
export class LineMemo {
  readonly #byPolicy = new WeakMap<object, Map<string, LineTable>>()
  readonly #capacity: number

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity
  }

  /** @param replay what the values of a line belong to: hash of the column, banks and rules */
  tableFor(policy: RuntimePolicy, replay: string): LineTable {
    const tables = this.#byPolicy.get(policy) ?? new Map<string, LineTable>()
    this.#byPolicy.set(policy, tables)
    const table = tables.get(replay) ?? new LineTable(this.#capacity)
    tables.set(replay, table)
    return table
  }
}
