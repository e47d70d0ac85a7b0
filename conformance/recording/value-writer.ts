import { encodeLeaf, isPlain, type Recorded } from './values.ts'

/** A list or plain object as it was when it was written. */
interface Written {
  readonly index: number
  readonly members: readonly unknown[]
}

/** Longer texts are written once. */
const SHORT = 64

/**
 * Writes values for a recording. What is written again, such as a list that has grown by an element, refers to what is
 * there already, so that a scenario may read a long list as often as it likes.
 */
export class ValueWriter {
  /** Texts, lists and objects, to which others refer by index. */
  readonly values: Recorded[] = []
  readonly #written = new WeakMap<object, Written>()
  readonly #texts = new Map<string, number>()
  readonly #other: (value: object) => Recorded

  /** `other` writes objects with methods, and promises. */
  constructor(other: (value: object) => Recorded) {
    this.#other = other
  }

  write(value: unknown): Recorded {
    if (typeof value === 'string' && value.length > SHORT) return this.#text(value)
    const leaf = encodeLeaf(value)
    if (leaf !== undefined) return leaf
    if (value instanceof Map) return { $: 'map', value: this.write([...value]) }
    if (value instanceof Set) return { $: 'set', value: this.write([...value]) }
    return isData(value) ? this.#composite(value) : this.#other(value as object)
  }

  #text(text: string): Recorded {
    const known = this.#texts.get(text)
    if (known !== undefined) return refer(known)
    const index = this.values.push(encodeLeaf(text) ?? text) - 1
    this.#texts.set(text, index)
    return refer(index)
  }

  #composite(value: object): Recorded {
    const before = this.#written.get(value)
    if (before !== undefined && this.#isUnchanged(value)) return refer(before.index)
    const members = Object.values(value)
    const isLonger =
      Array.isArray(value) && before !== undefined && this.#startsWith(members, before)
    const form = isLonger
      ? {
          $: 'longer',
          value: [
            before.index,
            ...members.slice(before.members.length).map((one) => this.write(one)),
          ],
        }
      : this.#form(value)
    const index = this.values.push(form) - 1
    this.#written.set(value, { index, members })
    return refer(index)
  }

  #form(value: object): Recorded {
    if (Array.isArray(value)) return Array.from(value, (one) => this.write(one))
    const entries = Object.entries(value).map(([name, one]) => [name, this.write(one)] as const)
    const members = Object.fromEntries(entries)
    return Object.hasOwn(value, '$') ? { $: 'object', value: members } : members
  }

  #startsWith(members: readonly unknown[], before: Written): boolean {
    return (
      before.members.length > 0 &&
      before.members.length <= members.length &&
      before.members.every((one, at) => Object.is(one, members[at]) && this.#isUnchanged(one))
    )
  }

  /** Whether a value is as it was when it was written last. */
  #isUnchanged(value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !isData(value)) return true
    const before = this.#written.get(value)
    if (before === undefined) return false
    const members = Object.values(value)
    return (
      members.length === before.members.length &&
      members.every((one, at) => Object.is(one, before.members[at]) && this.#isUnchanged(one))
    )
  }
}

function refer(index: number): Recorded {
  return { $: 'at', value: index }
}

/** Whether a value is a list or a plain object without methods. */
export function isData(value: unknown): value is object {
  return Array.isArray(value) || (isPlain(value) && !hasFunction(value))
}

function hasFunction(value: object): boolean {
  return Object.keys(value).some((name) => {
    const { get, value: member } = Object.getOwnPropertyDescriptor(value, name) ?? {}
    return get !== undefined || typeof member === 'function'
  })
}
