import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { cat, filled } from '../../../simulator/tpm/write.ts'
import { der } from '../../../simulator/x509/der.ts'
import { CertificateFault, elementsIn } from '../../../simulator/x509/read-certificate.ts'
import { mutateBytes, oneOf } from '../mutate-bytes.ts'

type Element = ReturnType<typeof elementsIn>[number]
type Pieces = readonly Uint8Array[]

const CONSTRUCTED = 0x20
const OCTET_STRING = 0x04
/** What certificates are made of, and a few that they are not. */
const TAGS = [1, 2, 3, 4, 5, 6, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31, 0x80, 0xa0, 0xa3]
/** Of so many descents one ends before the innermost element. */
const ENDS_EACH = 6

/** The elements that bytes are; undefined when they are none. */
function elementsOf(bytes: Uint8Array): readonly Element[] | undefined {
  try {
    const elements = elementsIn(bytes, { inside: 0, end: bytes.length }, '')
    return elements.length === 0 ? undefined : elements
  } catch (error) {
    if (error instanceof CertificateFault) return undefined
    throw error
  }
}

/** What is inside of an element, if that is elements again. */
function innerOf(bytes: Uint8Array, { tag, inside, end }: Element): Uint8Array | undefined {
  if ((tag & CONSTRUCTED) === 0 && tag !== OCTET_STRING) return undefined
  const contents = bytes.subarray(inside, end)
  return elementsOf(contents) && contents
}

function contentsOf(piece: Uint8Array): Uint8Array {
  const [element] = elementsOf(piece) ?? []
  return element === undefined ? piece : piece.subarray(element.inside, element.end)
}

function nested(piece: Uint8Array, layers: number): Uint8Array {
  return layers === 0 ? piece : nested(der(0x30, piece), layers - 1)
}

/** A length in one byte more than DER allows. */
function longLength(piece: Uint8Array): Uint8Array {
  const contents = contentsOf(piece)
  const length = Uint8Array.of(0x83, 0, contents.length >> 8, contents.length & 0xff)
  return cat(piece.subarray(0, 1), length, contents)
}

const CHANGES: readonly ((piece: Uint8Array, random: SeededRandom) => Pieces)[] = [
  () => [],
  (piece) => [piece, piece],
  (piece, random) => Array.from({ length: oneOf([20, 300], random) }, () => piece),
  (piece, random) => [nested(piece, oneOf([1, 8, 40], random))],
  (piece, random) => [cat(Uint8Array.of(oneOf(TAGS, random)), piece.subarray(1))],
  (piece) => [der(piece[0] ?? 0, filled(0))],
  (piece) => [longLength(piece)],
  (piece, random) => [der(piece[0] ?? 0, mutateBytes(contentsOf(piece), random))],
  (piece, random) => [der(piece[0] ?? 0, mutateBytes(contentsOf(piece), random))],
]

/** One element of DER changed, mostly an inner one; lengths around it follow. Bytes that are no DER are mutated as bytes. */
export function changeDer(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const elements = elementsOf(bytes)
  if (elements === undefined) return mutateBytes(bytes, random)
  const at = random.below(elements.length)
  const pieces = elements.map((element) => bytes.subarray(element.at, element.end))
  const chosen = elements[at]
  const inner = chosen && innerOf(bytes, chosen)
  const instead =
    chosen === undefined || inner === undefined || random.below(ENDS_EACH) === 0
      ? oneOf(CHANGES, random)(pieces[at] ?? filled(0), random)
      : [der(chosen.tag, changeDer(inner, random))]
  return cat(...pieces.toSpliced(at, 1, ...instead))
}
