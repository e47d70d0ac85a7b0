/** Position of one part of a certificate; offsets count input bytes from 0. */
export interface CertificateField {
  readonly path: string
  readonly offset: number
  /** Length of the contents, without tag and length. */
  readonly length: number
  readonly tag: number
}

/** Thrown at the first invalid part of a certificate. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault'
  readonly path: string
  readonly offset: number

  constructor(path: string, offset: number, why: string) {
    super(why)
    this.path = path
    this.offset = offset
  }
}

interface Element {
  readonly tag: number
  readonly at: number
  readonly inside: number
  readonly end: number
}

type OnField = (field: CertificateField) => void

const SEQUENCE = 0x30
/** Maximum number of bytes of a length: more exceed a safe integer. */
const MOST_LENGTH_BYTES = 6

/** Reads tag and length in any encoding of the length. */
function elementAt(bytes: Uint8Array, at: number, end: number, path: string): Element {
  const [tag, first] = bytes.subarray(at, Math.min(at + 2, end))
  if (tag === undefined || first === undefined)
    throw new CertificateFault(path, at, 'expected an element, found the end of the data')
  const size = first < 0x80 ? 0 : first & 0x7f
  const inside = at + 2 + size
  const length =
    size === 0 ? first : bytes.subarray(at + 2, inside).reduce((sum, byte) => sum * 256 + byte, 0)
  if (size > MOST_LENGTH_BYTES)
    throw new CertificateFault(
      path,
      at,
      `its length is written in ${size} bytes, and no file is so long`,
    )
  if (first === 0x80)
    throw new CertificateFault(path, at, 'indefinite length; DER requires a definite one')
  if (inside + length > end)
    throw new CertificateFault(
      path,
      at,
      `${length} bytes are wanted here, and ${Math.max(0, end - inside)} are left`,
    )
  return { tag, at, inside, end: inside + length }
}

/** Returns all elements inside of one. */
export function elementsIn(
  bytes: Uint8Array,
  { inside, end }: Pick<Element, 'inside' | 'end'>,
  path: string,
): readonly Element[] {
  const found: Element[] = []
  for (let at = inside; at < end; at = found.at(-1)?.end ?? end) {
    found.push(elementAt(bytes, at, end, path))
    if (found.length > 4096) throw new CertificateFault(path, at, 'more than 4096 elements')
  }
  return found
}

/** The parts of a certificate, each with its tag and length. */
interface SignedParts {
  /** TBSCertificate: the signed bytes. */
  readonly body: Uint8Array
  readonly algorithm: Uint8Array
}

/**
 * Splits a certificate (DER) into the signed part and the algorithm; throws {@link CertificateFault} if it is
 * invalid.
 */
export function signedPartsOf(certificate: Uint8Array): SignedParts {
  const outer = elementAt(certificate, 0, certificate.length, 'Certificate')
  const parts = elementsIn(certificate, outer, 'Certificate')
  const [body, algorithm] = parts.map(({ at, end }) => certificate.subarray(at, end))
  if (body === undefined || algorithm === undefined)
    throw new CertificateFault('Certificate', outer.inside, 'body and algorithm are wanted here')
  return { body, algorithm }
}

/** Reads a certificate up to its first invalid part, and reports every part; returns its end. */
export function readCertificate(bytes: Uint8Array, at: number, onField: OnField): number {
  const outer = sequenceAt(bytes, at, bytes.length, 'Certificate')
  const [body, algorithm, signature] = elementsIn(bytes, outer, 'Certificate')
  if (body?.tag !== SEQUENCE)
    throw new CertificateFault('tbsCertificate', outer.inside, 'is no sequence')
  readBody(bytes, body, onField)
  report(onField, 'signatureAlgorithm', algorithm, outer.end)
  report(onField, 'signatureValue', signature, outer.end)
  return outer.end
}

function sequenceAt(bytes: Uint8Array, at: number, end: number, path: string): Element {
  const element = elementAt(bytes, at, end, path)
  if (element.tag !== SEQUENCE)
    throw new CertificateFault(path, at, 'is no sequence, as a certificate is')
  return element
}

function report(onField: OnField, path: string, element: Element | undefined, at: number): void {
  if (element === undefined) throw new CertificateFault(path, at, 'is not there')
  onField({ path, offset: element.inside, length: element.end - element.inside, tag: element.tag })
}

const FIRST = ['serialNumber', 'signature', 'issuer', 'validity', 'subject', 'subjectPublicKeyInfo']
const VERSION = 0xa0
const EXTENSIONS = 0xa3

function readBody(bytes: Uint8Array, body: Element, onField: OnField): void {
  const elements = elementsIn(bytes, body, 'tbsCertificate')
  const [first] = elements
  const hasVersion = first?.tag === VERSION
  if (hasVersion) report(onField, 'version', first, body.inside)
  if (isHolder(bytes, elements))
    throw new CertificateFault(
      'tbsCertificate',
      body.at,
      'this is an attribute certificate, such as one of a platform: it certifies no key',
    )
  const rest = hasVersion ? elements.slice(1) : elements
  for (const [index, path] of FIRST.entries()) {
    const element = rest[index]
    if (path === 'validity' && element !== undefined) readTimes(bytes, element, onField)
    else report(onField, path, element, body.end)
  }
  for (const element of rest.slice(FIRST.length))
    if (element.tag === EXTENSIONS) readExtensions(bytes, element, onField)
    else report(onField, 'uniqueID', element, body.end)
}

/** The second member of an attribute certificate is its holder, whose members have their own tags. */
function isHolder(bytes: Uint8Array, [version, holder]: readonly Element[]): boolean {
  return version?.tag === 0x02 && holder?.tag === SEQUENCE && (bytes[holder.inside] ?? 0) >= 0x80
}

function readTimes(bytes: Uint8Array, validity: Element, onField: OnField): void {
  const [from, to] = elementsIn(bytes, validity, 'validity')
  report(onField, 'validity.notBefore', from, validity.end)
  report(onField, 'validity.notAfter', to, validity.end)
}

function readExtensions(bytes: Uint8Array, outer: Element, onField: OnField): void {
  const [list] = elementsIn(bytes, outer, 'extensions')
  if (list === undefined) throw new CertificateFault('extensions', outer.inside, 'is not there')
  for (const [index, extension] of elementsIn(bytes, list, 'extensions').entries()) {
    const path = `extensions[${index}]`
    const parts = elementsIn(bytes, extension, path)
    report(onField, `${path}.extnID`, parts[0], extension.end)
    if (parts.length > 2) report(onField, `${path}.critical`, parts[1], extension.end)
    report(onField, `${path}.extnValue`, parts.length > 1 ? parts.at(-1) : undefined, extension.end)
  }
}
