import {
  CONSTRUCTED,
  DER,
  type DerElement,
  derBytes,
  derChildren,
  derContents,
} from '../../../bytes/der.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { concat } from '../../../bytes/writer.ts'
import { der, hex } from '../../../evidence/testing/write-certificate.ts'
import type { Random } from '../random.ts'
import { mutateBytes } from './bytes.ts'

/** The elements that bytes are, or undefined. */
function elementsOf(bytes: Uint8Array): readonly DerElement[] | undefined {
  try {
    const elements = derChildren(bytes, { inside: 0, end: bytes.length }, '')
    return elements.length === 0 ? undefined : elements
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** Elements of a level, each with its tag and length. */
type Pieces = readonly Uint8Array[]
type Edit = (pieces: Pieces, at: number, other: Uint8Array, random: Random) => Pieces

const TAGS = [
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x17, 0x18, 0x1e, 0x30, 0x31],
  ...[0x80, 0x82, 0xa0, 0xa1, 0xa3, 0xa4],
]

/** Changes of one element among its neighbours; lengths around it follow. */
const edits: readonly Edit[] = [
  (pieces, at) => pieces.toSpliced(at, 1),
  (pieces, at) => pieces.toSpliced(at, 0, ...pieces.slice(at, at + 1)),
  (pieces, at, other) => pieces.toSpliced(at, 1, other),
  (pieces, at, other) => pieces.toSpliced(at, 0, other),
  (pieces, at, _, random) => retagged(pieces, at, () => random.pick(TAGS)),
  (pieces, at, _, random) => retagged(pieces, at, (tag) => tag ^ (1 << random.below(8))),
  (pieces) => pieces.toReversed(),
  (pieces, at) => refilled(pieces, at, () => new Uint8Array()),
  (pieces, at, other) => refilled(pieces, at, () => other),
  (pieces, at, _, random) => refilled(pieces, at, (contents) => withAnotherDigit(contents, random)),
  (pieces, at, _, random) => refilled(pieces, at, (contents) => withAnotherDigit(contents, random)),
  (pieces, at, _, random) => refilled(pieces, at, (contents) => mutateBytes(contents, random)),
  (pieces, at, _, random) => refilled(pieces, at, (contents) => mutateBytes(contents, random)),
  (pieces, at, _, random) => {
    const many = Array.from(
      { length: random.pick([2, 20, 300]) },
      () => pieces[at] ?? new Uint8Array(),
    )
    return pieces.toSpliced(at, 1, ...many)
  },
  (pieces, at, _, random) =>
    changed(pieces, at, (piece) => {
      let nested = piece
      for (let layer = random.pick([1, 8, 40]); layer > 0; layer--)
        nested = der(random.pick([0x30, 0x31, 0xa0, 0x04]), nested)
      return nested
    }),
]

const ZERO = 0x30

/** Times stay times, and texts texts. */
function withAnotherDigit(contents: Uint8Array, random: Random): Uint8Array {
  const at = random.below(Math.max(1, contents.length))
  return contents.map((byte, index) => (index === at ? ZERO + random.below(10) : byte))
}

function changed(pieces: Pieces, at: number, change: (piece: Uint8Array) => Uint8Array): Pieces {
  return pieces.map((piece, index) => (index === at ? change(piece) : piece))
}

function retagged(pieces: Pieces, at: number, change: (tag: number) => number): Pieces {
  return changed(pieces, at, (piece) =>
    concat(Uint8Array.of(change(piece[0] ?? 0)), piece.subarray(1)),
  )
}

function refilled(
  pieces: Pieces,
  at: number,
  change: (contents: Uint8Array) => Uint8Array,
): Pieces {
  return changed(pieces, at, (piece) => {
    const [element] = elementsOf(piece) ?? []
    return element === undefined ? piece : der(element.tag, change(derContents(piece, element)))
  })
}

/** What is inside of an element, if that is elements again. */
function innerOf(bytes: Uint8Array, element: DerElement): Uint8Array | undefined {
  if ((element.tag & CONSTRUCTED) === 0 && element.tag !== DER.OCTET_STRING) return undefined
  const contents = derContents(bytes, element)
  return elementsOf(contents) && contents
}

/** One change of an element of DER, an inner one more often than an outer one; bytes that are none are changed as bytes. */
export function mutateDer(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const elements = elementsOf(bytes)
  if (elements === undefined) return mutateBytes(bytes, random)
  const at = random.below(elements.length)
  const chosen = elements[at]
  const inner = chosen && innerOf(bytes, chosen)
  const pieces = elements.map((element) => derBytes(bytes, element))
  if (chosen === undefined || inner === undefined || random.once(6))
    return concat(...random.pick(edits)(pieces, at, somePiece(other, random), random))
  return concat(...changed(pieces, at, () => der(chosen.tag, mutateDer(inner, other, random))))
}

/** What says the most in the fewest bytes: TRUE, FALSE, 0, -1, nothing. */
const SMALL = ['0101ff', '010100', '020100', '0201ff', '0500'].map(hex)

/** Some element of other bytes. */
function somePiece(bytes: Uint8Array, random: Random): Uint8Array {
  if (random.once(8)) return random.pick(SMALL)
  const elements = elementsOf(bytes) ?? []
  const element = elements[random.below(Math.max(1, elements.length))]
  if (element === undefined) return der(DER.NULL)
  const inner = innerOf(bytes, element)
  return inner === undefined || random.once(4) ? derBytes(bytes, element) : somePiece(inner, random)
}
