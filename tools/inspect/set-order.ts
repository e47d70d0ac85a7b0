import { CertificateFault, elementsIn } from '../../simulator/x509/read-certificate.ts'

const SET = 0x31
const CONSTRUCTED = 0x20
const DEEPEST = 8

interface Place {
  readonly inside: number
  readonly end: number
}

/** Offsets of the sets in DER whose members are not in ascending order (X.690, 11.6), outermost first. */
export function unorderedSets(bytes: Uint8Array, place: Place): readonly number[] {
  try {
    return setsIn(bytes, place, 0)
  } catch (error) {
    // Invalid DER is reported by the certificate parser.
    if (error instanceof CertificateFault) return []
    throw error
  }
}

function setsIn(bytes: Uint8Array, place: Place, depth: number): readonly number[] {
  if (depth > DEEPEST) return []
  return elementsIn(bytes, place, 'set').flatMap((element) => {
    const holds = (element.tag & CONSTRUCTED) !== 0
    const odd = element.tag === SET && !isAscending(bytes, element)
    return [...(odd ? [element.at] : []), ...(holds ? setsIn(bytes, element, depth + 1) : [])]
  })
}

function isAscending(bytes: Uint8Array, set: Place): boolean {
  const members = elementsIn(bytes, set, 'set').map(({ at, end }) => bytes.subarray(at, end))
  return members.every((one, at) => at === 0 || Buffer.compare(members[at - 1] ?? one, one) <= 0)
}
