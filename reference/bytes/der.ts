import { WireError } from './wire-error.ts'

/** The position of a DER element: all offsets count bytes of the whole input, from 0. */
export interface DerElement {
  readonly tag: number
  readonly at: number
  /** Where its contents begin. */
  readonly inside: number
  readonly end: number
}

/** Universal tags (X.690, 8), the two collections with their constructed bit. */
export const DER = {
  BOOLEAN: 0x01,
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  NULL: 0x05,
  OBJECT_IDENTIFIER: 0x06,
  UTF8_STRING: 0x0c,
  PRINTABLE_STRING: 0x13,
  T61_STRING: 0x14,
  IA5_STRING: 0x16,
  UTC_TIME: 0x17,
  GENERALIZED_TIME: 0x18,
  UNIVERSAL_STRING: 0x1c,
  BMP_STRING: 0x1e,
  SEQUENCE: 0x30,
  SET: 0x31,
} as const

/** The constructed bit of a tag. */
export const CONSTRUCTED = 0x20
const MULTI_BYTE_TAG = 0x1f
/** A certificate has lengths of two bytes; three are more than anything here has. */
const MAX_LENGTH_BYTES = 3

/**
 * The element that begins at a byte of the whole and ends before `limit`. Only definite lengths in their shortest form
 * are read (X.690, 10.1).
 *
 * @throws {WireError} where it does not fit, or is written in another form
 */
export function derElementAt(
  whole: Uint8Array,
  at: number,
  limit: number,
  path: string,
): DerElement {
  const tag = whole[at]
  if (at >= limit || tag === undefined) throw new WireError(path, at, 'nothing is left to be read')
  if ((tag & MULTI_BYTE_TAG) === MULTI_BYTE_TAG)
    throw new WireError(path, at, 'has a tag of several bytes')
  const { length, inside } = lengthAt(whole, at + 1, limit, path)
  if (length > limit - inside)
    throw new WireError(path, inside, `needs ${length} byte(s), ${limit - inside} left`)
  return { tag, at, inside, end: inside + length }
}

function lengthAt(
  whole: Uint8Array,
  at: number,
  limit: number,
  path: string,
): { readonly length: number; readonly inside: number } {
  const first = whole[at]
  if (at >= limit || first === undefined) throw new WireError(path, at, 'has no length')
  if (first < 0x80) return { length: first, inside: at + 1 }
  const size = first & 0x7f
  if (size === 0 || size > MAX_LENGTH_BYTES || size > limit - at - 1)
    throw new WireError(path, at, 'has no length, or one of too many bytes')
  let length = 0
  for (let each = 1; each <= size; each++) length = length * 256 + (whole[at + each] ?? 0)
  if (length < 0x80 || length < 256 ** (size - 1))
    throw new WireError(path, at, 'has a length with more bytes than it needs')
  return { length, inside: at + 1 + size }
}

/** The elements inside of one, in their order. */
export function derChildren(
  whole: Uint8Array,
  { inside, end }: Pick<DerElement, 'inside' | 'end'>,
  path: string,
): readonly DerElement[] {
  const children: DerElement[] = []
  for (let at = inside; at < end; ) {
    const child = derElementAt(whole, at, end, path)
    children.push(child)
    at = child.end
  }
  return children
}

/**
 * Reads the elements inside of one by their tags, one after the other. A {@link WireError} names the field, and its
 * byte in the whole.
 */
export class DerReader {
  readonly whole: Uint8Array
  readonly path: string
  readonly #end: number
  #at: number

  constructor(
    whole: Uint8Array,
    { inside, end }: Pick<DerElement, 'inside' | 'end'>,
    path: string,
  ) {
    this.whole = whole
    this.path = path
    this.#at = inside
    this.#end = end
  }

  /** Byte of the whole at which the next element begins. */
  get offset(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end
  }

  /** Tag of the next element; undefined at the end. */
  get tag(): number | undefined {
    return this.isAtEnd ? undefined : this.whole[this.#at]
  }

  /** The next element, of any type. */
  any(name: string): DerElement {
    const element = derElementAt(this.whole, this.#at, this.#end, this.#pathOf(name))
    this.#at = element.end
    return element
  }

  /** The next element, which has one of these tags. */
  next(name: string, ...tags: readonly number[]): DerElement {
    const { tag } = this
    if (tag !== undefined && !tags.includes(tag))
      throw new WireError(
        this.#pathOf(name),
        this.#at,
        `is a ${tagWords(tag)}, and no ${tags.map(tagWords).join(' or ')}`,
      )
    return this.any(name)
  }

  /** The next element if it has this tag. */
  maybe(name: string, tag: number): DerElement | undefined {
    return this.tag === tag ? this.any(name) : undefined
  }

  /** A reader of the contents of an element. */
  inside(name: string, element: DerElement): DerReader {
    return new DerReader(this.whole, element, this.#pathOf(name))
  }

  /** A reader of the contents of the next element, which must have this tag. */
  enter(name: string, tag: number): DerReader {
    return this.inside(name, this.next(name, tag))
  }

  /** Refuses unread elements. */
  finish(): void {
    if (!this.isAtEnd)
      throw new WireError(this.path, this.#at, `${this.#end - this.#at} byte(s) left over`)
  }

  #pathOf(name: string): string {
    return name.startsWith('[') ? `${this.path}${name}` : `${this.path}.${name}`
  }
}

/** The bytes inside of an element. */
export function derContents(whole: Uint8Array, { inside, end }: DerElement): Uint8Array {
  return whole.subarray(inside, end)
}

/** All bytes of an element. */
export function derBytes(whole: Uint8Array, { at, end }: DerElement): Uint8Array {
  return whole.subarray(at, end)
}

const TAG_WORDS: ReadonlyMap<number, string> = new Map(
  Object.entries(DER).map(([name, tag]) => [tag, name.replaceAll('_', ' ')]),
)

function tagWords(tag: number): string {
  const known = TAG_WORDS.get(tag)
  if (known !== undefined) return known
  if ((tag & 0xc0) === 0x80) return `[${tag & MULTI_BYTE_TAG}]`
  return `tag 0x${tag.toString(16).padStart(2, '0')}`
}
