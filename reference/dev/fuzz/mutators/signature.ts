import { concat } from '../../../bytes/writer.ts'
import type { Random } from '../random.ts'
import type { Input } from '../target.ts'
import { mutateBytes, swellBytes } from './bytes.ts'
import { splitPublic, splitSignature } from './layouts.ts'
import { mutateStructure } from './quote.ts'
import { joinSegments, type Segment } from './segments.ts'

/** A signature, what it is said to cover and whose it is said to be. */
export interface SignatureRun extends Input {
  /** TPM2B_PUBLIC */
  readonly key: Uint8Array
  readonly message: Uint8Array
  /** TPMT_SIGNATURE */
  readonly signature: Uint8Array
}

/** Orders of the base points of P-256, P-384 and P-521: no r or s may be as large (SP 800-186). */
const ORDERS = [
  'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
  'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
].map((digits) => new Uint8Array(Buffer.from(digits, 'hex')))

type Edit = (part: Uint8Array, random: Random) => Uint8Array

/** Changes of a number that stands in a signature or a key. */
const numberEdits: readonly Edit[] = [
  (part) => concat(Uint8Array.of(0), part),
  (part) => part.subarray(1),
  (part) => part.subarray(0, -1),
  (part) => new Uint8Array(part.length),
  () => new Uint8Array(),
  (_, random) => random.pick(ORDERS),
  (part, random) => complement(part, random.pick(ORDERS)),
  (part) => new Uint8Array(part).reverse(),
  mutateBytes,
]

/** n - s, which verifies where s does, in as many bytes. */
function complement(part: Uint8Array, order: Uint8Array): Uint8Array {
  const [n, s] = [order, part].map((each) => BigInt(`0x0${Buffer.from(each).toString('hex')}`))
  const digits = ((n ?? 0n) > (s ?? 0n) ? (n ?? 0n) - (s ?? 0n) : 1n).toString(16)
  return new Uint8Array(Buffer.from(digits.padStart(2 * part.length, '0'), 'hex'))
}

function editNumber(segments: readonly Segment[], random: Random): readonly Segment[] {
  const numbers = segments.filter(({ name, prefix }) => prefix === 2 && name !== 'authPolicy')
  if (numbers.length === 0) return segments
  const chosen = random.pick(numbers)
  const bytes = random.pick(numberEdits)(chosen.bytes, random)
  const { declared: _, ...rest } = chosen
  return segments.map((each) => (each === chosen ? { ...rest, bytes } : each))
}

function swapNumbers(segments: readonly Segment[]): readonly Segment[] {
  const [first, second] = segments.filter(({ prefix }) => prefix === 2)
  if (!first || !second) return segments
  return segments.map((each) => (each === first ? second : each === second ? first : each))
}

/** One change of a signature, of its message or of its key, the key less often. */
export function mutateSignatureRun(
  run: SignatureRun,
  other: SignatureRun,
  random: Random,
): SignatureRun {
  switch (random.below(12)) {
    case 0:
      return { ...run, message: random.once(8) ? swellBytes(run.message, random) : other.message }
    case 1:
      return { ...run, message: mutateBytes(run.message, random) }
    case 2:
      return { ...run, key: other.key }
    case 3:
      return { ...run, key: mutateStructure(run.key, other.key, splitPublic, random) }
    case 4:
      return { ...run, key: joinSegments(editNumber(splitPublic(run.key), random)) }
    case 5:
      return { ...run, signature: other.signature }
    case 6:
    case 7:
    case 8:
      return { ...run, signature: joinSegments(editNumber(splitSignature(run.signature), random)) }
    case 9:
      return { ...run, signature: joinSegments(swapNumbers(splitSignature(run.signature))) }
    default:
      return {
        ...run,
        signature: mutateStructure(run.signature, other.signature, splitSignature, random),
      }
  }
}
