import { Reader } from '../bytes/reader.ts'
import { WireError } from '../bytes/wire-error.ts'

/** One element of DER: its tag, its contents, and all of it. */
interface Element {
  readonly tag: number
  /** Where it begins, and where its contents do, in the whole. */
  readonly at: number
  readonly inside: number
  readonly contents: Uint8Array
  readonly bytes: Uint8Array
}

const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const NULL = 0x05
const OBJECT_IDENTIFIER = 0x06
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
const CONSTRUCTED = 0x20
const UNIVERSAL = 0xc0
const MAX_DEPTH = 32
const BASIC_CONSTRAINTS = '551d13'

/**
 * The first place where bytes are not the one encoding that DER has for what they say (X.690, 10 and 11), or
 * undefined: lengths, numbers, times, the order of sets, and defaults of a certificate's extensions that are spelt out.
 */
export function derProblem(bytes: Uint8Array): string | undefined {
  try {
    for (const element of elementsOf(bytes, 0)) checkElement(element, 0)
    return undefined
  } catch (error) {
    if (error instanceof WireError) return error.message
    throw error
  }
}

function elementsOf(bytes: Uint8Array, base: number): readonly Element[] {
  const reader = new Reader(bytes, 'DER')
  const elements: Element[] = []
  while (reader.remaining > 0) elements.push(readElement(reader, base))
  return elements
}

function readElement(reader: Reader, base: number): Element {
  const start = reader.offset
  const tag = reader.u8()
  if ((tag & 0x1f) === 0x1f) throw reader.error('has a tag of several bytes', start)
  const contents = reader.take(readLength(reader))
  const inside = base + reader.offset - contents.length
  return { tag, at: base + start, inside, contents, bytes: reader.between(start, reader.offset) }
}

function readLength(reader: Reader): number {
  const first = reader.u8()
  if (first < 0x80) return first
  const size = first & 0x7f
  if (size === 0 || size > 3) throw reader.error('has no length, or one of too many bytes')
  const length = reader.take(size).reduce((sum, byte) => sum * 256 + byte, 0)
  if (length < 0x80 || length < 256 ** (size - 1))
    throw reader.error('has a length with more bytes than it needs')
  return length
}

function checkElement(element: Element, depth: number): void {
  const { tag, contents, at, inside } = element
  const problem = problemOf(element)
  if (problem !== undefined) throw new WireError('DER', at, problem)
  if ((tag & CONSTRUCTED) === 0) return
  if (depth === MAX_DEPTH) throw new WireError('DER', at, 'has too many layers')
  const inner = elementsOf(contents, inside)
  if (tag === SET && !isAscending(inner))
    throw new WireError('DER', at, 'a set is not in ascending order')
  if (tag === SEQUENCE) checkExtension(inner, at)
  for (const each of inner) checkElement(each, depth + 1)
}

/** What each universal type has one form of. */
const FORMS: Readonly<Record<number, readonly [(contents: Uint8Array) => boolean, string]>> = {
  [BOOLEAN]: [
    ({ length, 0: byte }) => length === 1 && (byte === 0 || byte === 0xff),
    'a boolean is neither 0x00 nor 0xff',
  ],
  [INTEGER]: [isShortest, 'a number has more bytes than it needs, or none'],
  [BIT_STRING]: [hasZeroPadding, 'unused bits are not zero'],
  [NULL]: [({ length }) => length === 0, 'a null holds something'],
  [OBJECT_IDENTIFIER]: [isIdentifier, 'an object identifier is empty or padded'],
  [UTC_TIME]: [(contents) => /^\d{12}Z$/.test(latin1(contents)), 'a time is not YYMMDDHHMMSSZ'],
  [GENERALIZED_TIME]: [
    (contents) => /^\d{14}Z$/.test(latin1(contents)),
    'a time is not YYYYMMDDHHMMSSZ',
  ],
}

function problemOf({ tag, contents }: Element): string | undefined {
  const isString = (tag & UNIVERSAL) === 0 && tag !== SEQUENCE && tag !== SET
  if (isString && (tag & CONSTRUCTED) !== 0) return 'a string is put together from parts'
  const form = Object.hasOwn(FORMS, tag) ? FORMS[tag] : undefined
  return form === undefined || form[0](contents) ? undefined : form[1]
}

/** Extension ::= SEQUENCE { extnID, critical DEFAULT FALSE, extnValue } (RFC 5280, 4.1). */
function checkExtension(inner: readonly Element[], at: number): void {
  const [id, second] = inner
  if (id?.tag !== OBJECT_IDENTIFIER) return
  if (isFalse(second)) throw new WireError('DER', at, 'critical spells out its default')
  const value = inner.at(-1)
  if (Buffer.from(id.contents).toString('hex') !== BASIC_CONSTRAINTS || value?.tag !== OCTET_STRING)
    return
  const [constraints] = elementsOf(value.contents, value.inside)
  if (constraints !== undefined && isFalse(elementsOf(constraints.contents, constraints.inside)[0]))
    throw new WireError('DER', at, 'basicConstraints spells out its default')
}

function isFalse(element: Element | undefined): boolean {
  return element?.tag === BOOLEAN && element.contents[0] === 0
}

function isAscending(elements: readonly Element[]): boolean {
  return elements.every(
    ({ bytes }, at) => Buffer.compare(elements[at - 1]?.bytes ?? Buffer.alloc(0), bytes) <= 0,
  )
}

function isShortest({ length, 0: first = 0, 1: second = 0 }: Uint8Array): boolean {
  if (length < 2) return length === 1
  return !(first === 0 && second < 0x80) && !(first === 0xff && second >= 0x80)
}

function hasZeroPadding(contents: Uint8Array): boolean {
  const [unused = 8] = contents
  if (contents.length === 1) return unused === 0
  return unused < 8 && ((contents.at(-1) ?? 0) & ((1 << unused) - 1)) === 0
}

/** The last byte of an arc has its top bit clear, and no arc begins with an empty byte. */
function isIdentifier(contents: Uint8Array): boolean {
  return (
    contents.length > 0 &&
    (contents.at(-1) ?? 0x80) < 0x80 &&
    contents.every((byte, at) => byte !== 0x80 || (contents[at - 1] ?? 0) >= 0x80)
  )
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
