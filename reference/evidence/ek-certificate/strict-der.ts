import {
  CONSTRUCTED,
  DER,
  type DerElement,
  derBytes,
  derChildren,
  derContents,
} from '../../bytes/der.ts'
import { toHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'

/** A position at which the encoding is not DER. */
interface DerFault {
  readonly kind: DerFaultKind
  /** Byte of the whole. */
  readonly at: number
}

/** What each kind of fault is, in words that follow "a certificate in which". */
const KINDS = {
  boolean: 'a boolean is neither 0x00 nor 0xff',
  integer: 'a number has more bytes than it needs, or none',
  'bit-padding': 'unused bits are not zero',
  null: 'a null holds something',
  identifier: 'an object identifier is empty or padded',
  'utc-time': 'a time is not YYMMDDHHMMSSZ',
  'generalized-time': 'a time is not YYYYMMDDHHMMSSZ',
  'string-in-parts': 'a string is put together from parts',
  'set-order': 'a set is not in ascending order',
  'critical-default': 'critical spells out its default',
  'constraints-default': 'basicConstraints spells out its default',
  depth: 'has too many layers',
} as const

export type DerFaultKind = keyof typeof KINDS

export function derFaultWords(kind: DerFaultKind): string {
  return KINDS[kind]
}

const MAX_DEPTH = 32
/** Further problems are not reported: no vendor's certificate has so many. */
const MOST_FAULTS = 32
const UNIVERSAL = 0xc0
const BASIC_CONSTRAINTS = '551d13'

/**
 * Every place where bytes are not strict DER (X.690, 10 and 11), up to 32 of them: numbers, times, the order of sets, and
 * defaults of a certificate's extensions that are spelt out. Every byte is looked at once for each layer around it.
 *
 * @throws {WireError} where there are no elements to be found: lengths, tags
 */
export function derFaults(bytes: Uint8Array): readonly DerFault[] {
  const faults: DerFault[] = []
  walk(bytes, { inside: 0, end: bytes.length }, 0, faults)
  return faults
}

/** The first fault in a sentence, or undefined. */
export function derProblem(bytes: Uint8Array): string | undefined {
  try {
    const [first] = derFaults(bytes)
    return first && new WireError('DER', first.at, KINDS[first.kind]).message
  } catch (error) {
    if (error instanceof WireError) return error.message
    throw error
  }
}

function walk(
  whole: Uint8Array,
  outer: Pick<DerElement, 'inside' | 'end'>,
  depth: number,
  faults: DerFault[],
): void {
  for (const element of derChildren(whole, outer, 'DER')) {
    if (faults.length >= MOST_FAULTS) return
    const kind = faultOf(whole, element)
    if (kind !== undefined) faults.push({ kind, at: element.at })
    if ((element.tag & CONSTRUCTED) === 0) continue
    // The contents are not parsed: nesting in the input must not deepen the call stack.
    if (depth === MAX_DEPTH) faults.push({ kind: 'depth', at: element.at })
    else walk(whole, element, depth + 1, faults)
  }
}

function faultOf(whole: Uint8Array, element: DerElement): DerFaultKind | undefined {
  const { tag } = element
  if (tag === DER.SET) return isAscending(whole, element) ? undefined : 'set-order'
  if (tag === DER.SEQUENCE) return extensionFault(whole, element)
  if ((tag & UNIVERSAL) === 0 && (tag & CONSTRUCTED) !== 0) return 'string-in-parts'
  const form = FORMS.get(tag)
  return form === undefined || form[0](derContents(whole, element)) ? undefined : form[1]
}

type Form = readonly [holds: (contents: Uint8Array) => boolean, kind: DerFaultKind]

/** What each universal type has one form of. */
const FORMS: ReadonlyMap<number, Form> = new Map<number, Form>([
  [
    DER.BOOLEAN,
    [({ length, 0: byte }) => length === 1 && (byte === 0 || byte === 0xff), 'boolean'],
  ],
  [DER.INTEGER, [isShortest, 'integer']],
  [DER.BIT_STRING, [hasZeroPadding, 'bit-padding']],
  [DER.NULL, [({ length }) => length === 0, 'null']],
  [DER.OBJECT_IDENTIFIER, [isIdentifier, 'identifier']],
  [DER.UTC_TIME, [(contents) => contents.length === 13 && isTime(contents), 'utc-time']],
  [
    DER.GENERALIZED_TIME,
    [(contents) => contents.length === 15 && isTime(contents), 'generalized-time'],
  ],
])

/** Extension ::= SEQUENCE { extnID, critical DEFAULT FALSE, extnValue } (RFC 5280, 4.1). */
function extensionFault(whole: Uint8Array, element: DerElement): DerFaultKind | undefined {
  const [id, second, third] = derChildren(whole, element, 'DER')
  if (id?.tag !== DER.OBJECT_IDENTIFIER) return undefined
  if (isFalse(whole, second)) return 'critical-default'
  const value = third ?? second
  if (value?.tag !== DER.OCTET_STRING || toHex(derContents(whole, id)) !== BASIC_CONSTRAINTS)
    return undefined
  const [constraints] = derChildren(whole, value, 'DER')
  const [ca] = constraints === undefined ? [] : derChildren(whole, constraints, 'DER')
  return isFalse(whole, ca) ? 'constraints-default' : undefined
}

function isFalse(whole: Uint8Array, element: DerElement | undefined): boolean {
  return element?.tag === DER.BOOLEAN && whole[element.inside] === 0
}

function isAscending(whole: Uint8Array, set: DerElement): boolean {
  const elements = derChildren(whole, set, 'DER').map((each) => derBytes(whole, each))
  return elements.every((bytes, at) => {
    const before = elements[at - 1]
    return before === undefined || Buffer.compare(before, bytes) <= 0
  })
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

const Z = 0x5a

/** Digits, and the letter Z. */
function isTime(contents: Uint8Array): boolean {
  return (
    contents.at(-1) === Z && contents.subarray(0, -1).every((byte) => byte >= 0x30 && byte <= 0x39)
  )
}
