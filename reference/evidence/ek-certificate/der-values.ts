import { DER, type DerElement, type DerReader, derContents } from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'

/** The longest arc in use, a UUID, has 19 bytes. */
const LONGEST_ARC = 20
const LONGEST_IDENTIFIER = 64

/** The next object identifier in dotted form. */
export function readIdentifier(reader: DerReader, name: string): string {
  return identifierOf(reader.whole, reader.next(name, DER.OBJECT_IDENTIFIER), reader.path)
}

/** An object identifier in dotted form (X.690, 8.19). */
function identifierOf(whole: Uint8Array, element: DerElement, path: string): string {
  const contents = derContents(whole, element)
  const error = (problem: string) => new WireError(path, element.at, problem)
  if (contents.length === 0 || contents.length > LONGEST_IDENTIFIER)
    throw error('is an object identifier of no length, or of too many bytes')
  const arcs = arcsOf(contents)
  if (arcs === undefined) throw error('is an object identifier that is padded, cut or too large')
  const [first = 0n, ...rest] = arcs
  const root = first < 40n ? 0n : first < 80n ? 1n : 2n
  return [root, first - 40n * root, ...rest].join('.')
}

function arcsOf(contents: Uint8Array): readonly bigint[] | undefined {
  const arcs: bigint[] = []
  let arc = 0n
  let length = 0
  for (const byte of contents) {
    if (length === 0 && byte === 0x80) return undefined
    arc = (arc << 7n) | BigInt(byte & 0x7f)
    length += 1
    if (length > LONGEST_ARC) return undefined
    if (byte >= 0x80) continue
    arcs.push(arc)
    arc = 0n
    length = 0
  }
  return length === 0 ? arcs : undefined
}

/** A number from 0 to 2^31 - 1. */
export function smallNumberOf(whole: Uint8Array, element: DerElement, path: string): number {
  const contents = derContents(whole, element)
  const [first = 0x80] = contents
  if (contents.length > 4 || first >= 0x80)
    throw new WireError(path, element.at, 'is no number from 0 to 2147483647')
  return contents.reduce((sum, byte) => sum * 256 + byte, 0)
}

/** The bytes of a BIT STRING that counts whole bytes. */
export function wholeBytesOf(whole: Uint8Array, element: DerElement, path: string): Uint8Array {
  if (element.inside === element.end || whole[element.inside] !== 0)
    throw new WireError(path, element.at, 'is a BIT STRING that ends within a byte, or has none')
  return whole.subarray(element.inside + 1, element.end)
}

/** The named bits of a BIT STRING: numbers from 0, in ascending order; of more than 16 the rest is left out. */
export function namedBitsOf(whole: Uint8Array, { inside, end }: DerElement): ReadonlySet<number> {
  const unused = whole[inside] ?? 0
  const count = Math.min(16, Math.max(0, 8 * (end - inside - 1) - unused))
  const bits = Array.from({ length: count }, (_, bit) => bit)
  return new Set(
    bits.filter((bit) => ((whole[inside + 1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0),
  )
}

const FIELDS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/

/**
 * A UTCTime or GeneralizedTime in milliseconds since 1970 (RFC 5280, 4.1.2.5). A day that no calendar has is refused:
 * one reader would take the next month, another none.
 */
export function timeOf(whole: Uint8Array, element: DerElement, path: string): number {
  const digits = Buffer.from(derContents(whole, element)).toString('latin1')
  const century = Number(digits.slice(0, 2)) < 50 ? '20' : '19'
  const text = element.tag === DER.UTC_TIME ? century + digits : digits
  const [, ...fields] = FIELDS.exec(text) ?? []
  const [year = 0, month = 0, day = 0, ...clock] = fields.map(Number)
  const [hour = 0, minute = 0, second = 0] = clock
  const time = new Date(0)
  // Not Date.UTC, which takes years before 100 for others.
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute, second)
  const same = time.getUTCMonth() === month - 1 && time.getUTCDate() === day
  if (fields.length === 0 || !same || hour > 23 || minute > 59 || second > 59)
    throw new WireError(path, element.at, 'is no time of any calendar')
  return time.getTime()
}
