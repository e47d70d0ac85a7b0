import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CONSTRUCTED,
  DER,
  type DerElement,
  derBytes,
  derChildren,
  derContents,
} from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { concat } from '../../bytes/writer.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { ekCertificateWith } from '../testing/ek-certificates.ts'
import { der, extension, hex, IDS, sequence } from '../testing/write-certificate.ts'
import { parseEkCertificate } from './parse-certificate.ts'
import { subjectPublicKey } from './subject-key.ts'

type Read = typeof parseEkCertificate

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

const HONEST = [
  recorded('ekcert_1c00002.der'),
  recorded('ekcert_1c00016.der'),
  ekCertificateWith(),
  ...['010100', '0101ff'].map((ca) =>
    ekCertificateWith({
      instead: { constraints: extension(IDS.constraints, sequence(hex(ca))) },
    }),
  ),
]

/** A change of one element among its neighbours. */
type Edit = (piece: Uint8Array, value: number) => readonly Uint8Array[]

/** What says the most in the fewest bytes: TRUE, FALSE, 0, -1, nothing. */
const SMALL = ['0101ff', '010100', '020100', '0201ff', '0500'].map(hex)

const withByte: Edit = (piece, value) => [
  piece.map((byte, at) =>
    at > 1 && at === 2 + (value % Math.max(1, piece.length - 2)) ? value : byte,
  ),
]

const EDITS: readonly Edit[] = [
  () => [],
  (piece) => [piece, piece],
  (_, value) => SMALL.slice(value % SMALL.length).slice(0, 1),
  (piece, value) => [concat(Uint8Array.of(value), piece.subarray(1))],
  (piece) => [der(piece[0] ?? 0)],
  (piece) => [der(piece[0] ?? 0, piece)],
  // A digit stays a digit: most texts and times can still be read then.
  (piece, value) => withByte(piece, 0x30 + (value % 10)),
  withByte,
  withByte,
]

interface Step {
  /** Which of all elements, the outer ones before those inside of them; counted from the first again after the last. */
  readonly at: number
  readonly edit: Edit
  readonly value: number
}

function elementsOf(bytes: Uint8Array): readonly DerElement[] {
  return attempt(() => derChildren(bytes, { inside: 0, end: bytes.length }, '')) ?? []
}

/** The contents of an element that may hold others. */
function nestedIn(bytes: Uint8Array, element: DerElement): Uint8Array {
  const isNested = (element.tag & CONSTRUCTED) !== 0 || element.tag === DER.OCTET_STRING
  return isNested ? derContents(bytes, element) : new Uint8Array()
}

function countOf(bytes: Uint8Array): number {
  return elementsOf(bytes).reduce((sum, each) => sum + 1 + countOf(nestedIn(bytes, each)), 0)
}

/** The bytes with one element changed; lengths around it follow. */
function edited(bytes: Uint8Array, { at, edit, value }: Step): Uint8Array {
  let left = at % Math.max(1, countOf(bytes))
  const pieces = elementsOf(bytes).flatMap((element) => {
    const here = left
    const nested = nestedIn(bytes, element)
    const count = countOf(nested)
    left -= 1 + count
    if (here === 0) return edit(derBytes(bytes, element), value)
    if (here < 0 || here > count) return [derBytes(bytes, element)]
    return [der(element.tag, edited(nested, { at: here - 1, edit, value }))]
  })
  return pieces.length === 0 ? bytes : concat(...pieces)
}

const step = fc.record({
  at: fc.nat(999),
  edit: fc.constantFrom(...EDITS),
  value: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 255)),
})

const EARLIEST = Date.UTC(1000, 0, 1)

function isOtherTime(ours: number, theirs: string): boolean {
  const time = Date.parse(theirs)
  return ours >= EARLIEST && !Number.isNaN(time) && time !== ours
}

/** What is read of a certificate, however it was changed, is what OpenSSL reads; or it is refused with its place. */
function readsLikeOpenssl(read: Read) {
  return fc.property(
    fc.constantFrom(...HONEST),
    fc.array(step, { minLength: 1, maxLength: 2 }),
    (honest, steps) => {
      const bytes = steps.reduce(edited, honest)
      const ours = refusing(read, bytes)
      const theirs = ours && attempt(() => new X509Certificate(ours.der))
      if (ours === undefined || theirs === undefined) return
      expect(theirs.raw.equals(ours.der)).toBe(true)
      expect(isOtherTime(ours.notBefore, theirs.validFrom)).toBe(false)
      expect(isOtherTime(ours.notAfter, theirs.validTo)).toBe(false)
      if (theirs.ca) expect(ours.constraints?.ca).not.toBe(false)
      if (theirs.keyUsage) expect(ours.usages).toEqual(theirs.keyUsage)
      const [key, other] = [
        attempt(() => subjectPublicKey(ours.key)),
        attempt(() => theirs.publicKey),
      ]
      if (key && other) expect(key.equals(other)).toBe(true)
    },
  )
}

function refusing(read: Read, bytes: Uint8Array) {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

test('whatever is changed in a certificate, OpenSSL reads the same of it or it is refused', () => {
  fc.assert(readsLikeOpenssl(parseEkCertificate), { numRuns: 4000 })
})

test.each<[string, Read]>([
  [
    'takes an authority for none unless the constraint is critical',
    (bytes) => {
      const read = parseEkCertificate(bytes)
      return read.critical.includes('2.5.29.19')
        ? read
        : { ...read, constraints: { ca: false, pathLength: undefined } }
    },
  ],
  [
    'reads times without their seconds',
    (bytes) => {
      const read = parseEkCertificate(bytes)
      return { ...read, notAfter: read.notAfter - (read.notAfter % 60_000) + 59_000 }
    },
  ],
  [
    'throws where no extension is critical',
    (bytes) => {
      const read = parseEkCertificate(bytes)
      if (read.critical.length === 0) throw new TypeError('no extension')
      return read
    },
  ],
])('a reader that %s is found', (_, read) => {
  const options = { numRuns: 20_000, endOnFailure: true, seed: 1 }
  expect(fc.check(readsLikeOpenssl(read), options).failed).toBe(true)
})
