import { DER, type DerElement, DerReader, derBytes, derContents } from '../../bytes/der.ts'
import { toHex } from '../../bytes/hex.ts'
import { readIdentifier } from './der-values.ts'

/** One attribute of a name: object identifier, and its value as it was written. */
export interface NameAttribute {
  readonly type: string
  /** Text of a string; hexadecimal DER of anything else. */
  readonly value: string
  readonly isText: boolean
}

/** A name (RFC 5280, 4.1.2.4): relative names from the root downwards, each of one or more attributes. */
export type DistinguishedName = readonly (readonly NameAttribute[])[]

type Decode = (contents: Uint8Array) => string

const latin1: Decode = (contents) => Buffer.from(contents).toString('latin1')

/** Numbers of two bytes, the higher one first; half a number at the end is left out. */
function utf16(contents: Uint8Array): string {
  return Buffer.from(contents.subarray(0, contents.length & ~1))
    .swap16()
    .toString('utf16le')
}

/** Decoders for the strings of a name; invalid bytes become replacement characters, which match no sensible name. */
const STRINGS: ReadonlyMap<number, Decode> = new Map<number, Decode>([
  [DER.UTF8_STRING, (contents) => Buffer.from(contents).toString('utf8')],
  [DER.PRINTABLE_STRING, latin1],
  [DER.T61_STRING, latin1],
  [DER.IA5_STRING, latin1],
  [DER.BMP_STRING, utf16],
])

/** Reads a Name; `element` is its SEQUENCE. */
export function parseName(whole: Uint8Array, element: DerElement, path: string): DistinguishedName {
  const names: (readonly NameAttribute[])[] = []
  for (const reader = new DerReader(whole, element, path); !reader.isAtEnd; )
    names.push(relativeName(reader.enter(`[${names.length}]`, DER.SET)))
  return names
}

function relativeName(reader: DerReader): readonly NameAttribute[] {
  const attributes: NameAttribute[] = []
  do attributes.push(attribute(reader.enter(`[${attributes.length}]`, DER.SEQUENCE)))
  while (!reader.isAtEnd)
  return attributes
}

function attribute(reader: DerReader): NameAttribute {
  const type = readIdentifier(reader, 'type')
  const element = reader.any('value')
  reader.finish()
  const decode = STRINGS.get(element.tag)
  const { whole } = reader
  return decode === undefined
    ? { type, value: toHex(derBytes(whole, element)), isText: false }
    : { type, value: decode(derContents(whole, element)), isText: true }
}
