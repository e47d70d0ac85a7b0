import { equalBytes } from '../../bytes/equal.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { type ImaContent, interpret, type Template } from './templates.ts'

/** One entry of a measurement list; nothing in it is proven before replay. */
export interface ImaEntry {
  readonly kind: 'entry'
  /** position in this list, from 0 */
  readonly number: number
  /** lines of the ASCII list it takes, more than one when the name holds a newline; 1 in a binary list */
  readonly lines: number
  readonly pcr: number
  /** the column; what it should be is `dataHash` */
  readonly templateHash: Uint8Array
  readonly template: string
  /** template data, which is what the kernel hashed and extended */
  readonly data: Uint8Array
  /** hash of the data with the algorithm of the column */
  readonly dataHash: Uint8Array
  /** why the fields say nothing, or what they say */
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

/** Whether the kernel recorded a violation: it writes zeros to the list and extends ones. */
export function isViolation(entry: ImaEntry): boolean {
  return entry.templateHash.every((byte) => byte === 0)
}

/** Whether the column is the hash of the data. */
export function hashMatches(entry: ImaEntry): boolean {
  return equalBytes(entry.templateHash, entry.dataHash)
}

/** What the fields of a template say, or why they say nothing. */
export function contentOf(template: Template, fields: readonly Uint8Array[]): ImaEntry['content'] {
  try {
    return interpret(template, fields)
  } catch (error) {
    if (error instanceof WireError) return { invalid: error.message }
    throw error
  }
}
