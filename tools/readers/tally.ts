import { type Comparison, RESULTS, type Result } from './compare-answers.ts'
import type { EvidenceFile, Kind } from './evidence-files.ts'

/** Numbers of files of one kind by the result of a comparison with a reader in a field. */
export interface Row extends Record<Result, number> {
  readonly kind: Kind
  readonly reader: string
  readonly field: string
}

/** Files with the same difference from a reader in a field, and the smallest of them. */
export interface Group {
  readonly kind: Kind
  readonly reader: string
  readonly field: string
  readonly difference: string
  files: number
  example: {
    readonly file: string
    /** In base64. */
    readonly bytes: string
    readonly ours: unknown
    readonly theirs: unknown
  }
}

function noFiles(): Record<Result, number> {
  return { agree: 0, differ: 0, 'one rejects': 0, 'no answer': 0 }
}

/** Counts comparisons, and groups those that are no agreement. */
export class Tally {
  readonly #rows = new Map<string, Row>()
  readonly #groups = new Map<string, Group>()

  add(file: EvidenceFile, reader: string, comparisons: readonly Comparison[]): void {
    for (const comparison of comparisons) {
      const { kind } = file
      const { field, result } = comparison
      const key = `${kind}\0${reader}\0${field}`
      const row = this.#rows.get(key) ?? { kind, reader, field, ...noFiles() }
      this.#rows.set(key, row)
      row[result] += 1
      if (result !== 'agree') this.#group(key, file, reader, comparison)
    }
  }

  #group(key: string, file: EvidenceFile, reader: string, comparison: Comparison): void {
    const { field, difference = '', ours, theirs } = comparison
    const bytes = Buffer.from(file.bytes).toString('base64')
    const example = { file: file.name, bytes, ours, theirs }
    const own = `${key}\0${difference}`
    const group = this.#groups.get(own) ?? {
      ...{ kind: file.kind, reader, field, difference, files: 0, example },
    }
    this.#groups.set(own, group)
    group.files += 1
    // Answers come in any order; the example is the same in each run.
    const rank = (one: Group['example']) => `${String(one.bytes.length).padStart(9)}${one.file}`
    if (rank(example) < rank(group.example)) group.example = example
  }

  /** By kind and reader, in the order of the names. */
  rows(): readonly Row[] {
    return [...this.#rows.entries()].toSorted(byKey).map(([, row]) => row)
  }

  groups(): readonly Group[] {
    return [...this.#groups.entries()].toSorted(byKey).map(([, group]) => group)
  }

  /** Files of which a reader gave no answer. */
  unanswered(reader: string): number {
    return [...this.#groups.values()]
      .filter(({ difference }) => difference.startsWith(`${reader} gives no answer`))
      .reduce((sum, { files }) => sum + files, 0)
  }
}

type Entry = readonly [key: string, value: unknown]

/** The row of the answers comes before those of fields. */
function byKey([one]: Entry, [other]: Entry): number {
  const rank = (key: string) => key.replace(/\0answer(?=\0|$)/, '\0 answer')
  return rank(one) < rank(other) ? -1 : 1
}

/** The rows as cells: kind, reader, field, and the number of files with each result. */
export function cellsOf(rows: readonly Row[]): readonly (readonly (string | number)[])[] {
  return rows.map((row) => [row.kind, row.reader, row.field, ...RESULTS.map((one) => row[one])])
}
