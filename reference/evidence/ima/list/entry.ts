import type { ImaContent } from './fields.ts'

/**
 * One entry of a measurement list; nothing in it is proven before replay.
 * A reader hands out one at a time: `data` is good until the next one is read.
 */
export interface ImaEntry {
  readonly kind: 'entry'
  /** position in this list, from 0 */
  readonly number: number
  /** lines of the ASCII list it takes, more than one when the name holds a newline; 1 in a binary list */
  readonly lines: number
  readonly pcr: number
  /** the column, in lower-case hexadecimal; must equal `dataHash` */
  readonly templateHash: string
  readonly template: string
  /** template data, which the kernel hashed and extended */
  readonly data: Uint8Array
  /** hash of the data with the algorithm of the column, in lower-case hexadecimal */
  readonly dataHash: string
  /** the decoded fields, or the reason why they are invalid */
  readonly content: ImaContent | { readonly invalid: string }
}

/** Bytes that are no entry; they are reported, never skipped. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly number: number
  readonly lines: number
  readonly why: string
  readonly bytes: Uint8Array
  /** whether the next line may be the rest of it */
  readonly mayContinue: boolean
}

export type ImaItem = ImaEntry | Unreadable

/** Who reads a list: is given its items one after the other. */
export interface ListVisitor {
  /** Whether the line (binary: the entry) passed before and need not be parsed; it counts as an entry. */
  recall?(list: Buffer, start: number, end: number): boolean
  visit(item: ImaItem): void
}

/** Whether the kernel recorded a violation: it writes zeros to the list and extends ones. */
export function isViolation({ templateHash }: ImaEntry): boolean {
  return templateHash.startsWith('00') && /^0+$/.test(templateHash)
}

/** Whether the column is the hash of the data. */
export function hashMatches(entry: ImaEntry): boolean {
  return entry.templateHash === entry.dataHash
}

/** Keeps every item, each with a copy of its data: for lists that are looked at more than once. */
export function collectItems(read: (visitor: ListVisitor) => void): readonly ImaItem[] {
  const items: ImaItem[] = []
  read({
    visit: (item) =>
      items.push(item.kind === 'entry' ? { ...item, data: new Uint8Array(item.data) } : item),
  })
  return items
}
