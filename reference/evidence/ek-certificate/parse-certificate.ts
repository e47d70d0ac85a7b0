import { DER, type DerElement, DerReader, derBytes, derContents } from '../../bytes/der.ts'
import { equalBytes } from '../../bytes/equal.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { readIdentifier, timeOf, wholeBytesOf } from './der-values.ts'
import { EXTENSIONS, type KnownExtensions, parseExtension } from './parse-extensions.ts'
import { type DistinguishedName, parseName } from './parse-names.ts'
import { derFaults, derFaultWords } from './strict-der.ts'
import { parseSubjectKey, type SubjectKey } from './subject-key.ts'
import { unwrapCertificate } from './unwrap.ts'
import { TOLERATED, type Workaround, type WorkaroundId } from './workarounds.ts'

/** A certificate (RFC 5280, 4.1) with every field that the endorsement key checks use. */
export interface Certificate extends KnownExtensions {
  /** The certificate, without what stood around it. */
  readonly der: Uint8Array
  /** 1 to 3. */
  readonly version: number
  /** OID. */
  readonly signatureAlgorithm: string
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly key: SubjectKey
  /** OIDs of the critical extensions. */
  readonly critical: readonly string[]
  /** Bytes of every extension by its OID. */
  readonly extensions: ReadonlyMap<string, Uint8Array>
  /** Tolerated deviations. */
  readonly workarounds: readonly Workaround[]
}

const PATH = 'Certificate'
const VERSION = 0xa0
const ISSUER_UNIQUE_ID = 0x81
const SUBJECT_UNIQUE_ID = 0x82
const EXTENSIONS_TAG = 0xa3
const LONGEST_SERIAL = 20
const YEAR_2050 = Date.UTC(2050, 0, 1)

type Note = (id: WorkaroundId, at: number) => void

/**
 * Parses the certificate in an NV index or a registration. Known errors of TPM vendors are
 * read and named under `workarounds`; everything else is refused.
 *
 * @throws {WireError} with the field and its byte offset in the input
 */
export function parseEkCertificate(bytes: Uint8Array): Certificate {
  const { der, at, workarounds } = unwrapCertificate(bytes)
  try {
    const certificate = parseCertificate(der)
    const moved = certificate.workarounds.map((each) => ({ ...each, at: each.at + at }))
    return { ...certificate, workarounds: [...workarounds, ...moved] }
  } catch (error) {
    if (!(error instanceof WireError) || at === 0) throw error
    throw new WireError(error.path, error.offset + at, error.problem)
  }
}

/** Reads one certificate in DER, and nothing after it; see {@link parseEkCertificate}. */
export function parseCertificate(der: Uint8Array): Certificate {
  const workarounds: Workaround[] = [...toleratedFaults(der)]
  const note: Note = (id, at) => workarounds.push({ id, at })
  const file = new DerReader(der, { inside: 0, end: der.length }, '')
  const outer = new DerReader(der, file.next(PATH, DER.SEQUENCE), PATH)
  file.finish()
  const body = readBody(outer.enter('tbsCertificate', DER.SEQUENCE), note)
  const algorithm = outer.next('signatureAlgorithm', DER.SEQUENCE)
  wholeBytesOf(der, outer.next('signatureValue', DER.BIT_STRING), `${PATH}.signatureValue`)
  outer.finish()
  // The signature covers only one of the two.
  if (!equalBytes(derBytes(der, algorithm), body.algorithm))
    throw new WireError(
      `${PATH}.signatureAlgorithm`,
      algorithm.at,
      'is not the one that was signed',
    )
  const { algorithm: _, ...rest } = body
  const signatureAlgorithm = readIdentifier(
    outer.inside('signatureAlgorithm', algorithm),
    'algorithm',
  )
  return { der, ...rest, signatureAlgorithm, workarounds }
}

function toleratedFaults(der: Uint8Array): readonly Workaround[] {
  return derFaults(der).map(({ kind, at }) => {
    const id = TOLERATED.get(kind)
    if (id === undefined) throw new WireError(PATH, at, `is not strict DER: ${derFaultWords(kind)}`)
    return { id, at }
  })
}

function readBody(reader: DerReader, note: Note) {
  refuseAttributeCertificate(reader)
  const version = readVersion(reader)
  noteSerialNumber(reader, note)
  const algorithm = derBytes(reader.whole, reader.next('signature', DER.SEQUENCE))
  const issuer = readName(reader, 'issuer')
  const dates = readValidity(reader.enter('validity', DER.SEQUENCE), note)
  const subject = readName(reader, 'subject')
  const key = readKey(reader, note)
  reader.maybe('issuerUniqueID', ISSUER_UNIQUE_ID)
  reader.maybe('subjectUniqueID', SUBJECT_UNIQUE_ID)
  const extensions = readExtensions(reader, version, note)
  reader.finish()
  return { version, algorithm, issuer, ...dates, subject, key, ...extensions }
}

/**
 * AttributeCertificateInfo begins with its version and the holder, whose members have tags of their own (RFC 5755, 4.1);
 * TCG platform certificates are of this kind, and are mistaken for EK certificates.
 */
function refuseAttributeCertificate({ whole, offset, tag }: DerReader): void {
  const holder = offset + 2 + (whole[offset + 1] ?? 0)
  if (tag !== DER.INTEGER || whole[holder] !== DER.SEQUENCE) return
  const [length = 0] = whole.subarray(holder + 1)
  const first = whole[holder + 2 + (length < 0x80 ? 0 : length & 0x7f)] ?? 0
  if (first >= 0x80)
    throw new WireError(
      PATH,
      0,
      'is an attribute certificate, such as one of a platform, and certifies no key',
    )
}

function readVersion(reader: DerReader): number {
  const outer = reader.maybe('version', VERSION)
  if (outer === undefined) return 1
  const inner = reader.inside('version', outer)
  const element = inner.next('number', DER.INTEGER)
  inner.finish()
  const [number = 0, ...rest] = derContents(reader.whole, element)
  if (rest.length > 0 || number > 2)
    throw new WireError(inner.path, element.at, 'is no version of X.509 from 1 to 3')
  return number + 1
}

function noteSerialNumber(reader: DerReader, note: Note): void {
  const element = reader.next('serialNumber', DER.INTEGER)
  const contents = derContents(reader.whole, element)
  const isUsual = (contents[0] ?? 0x80) < 0x80 && contents.some((byte) => byte !== 0)
  if (!isUsual || contents.length > LONGEST_SERIAL) note('serial-number', element.at)
}

function readName(reader: DerReader, name: string): DistinguishedName {
  const element = reader.next(name, DER.SEQUENCE)
  return parseName(reader.whole, element, `${reader.path}.${name}`)
}

function readValidity(reader: DerReader, note: Note) {
  const time = (name: string): number => {
    const element = reader.next(name, DER.UTC_TIME, DER.GENERALIZED_TIME)
    const at = timeOf(reader.whole, element, `${reader.path}.${name}`)
    if (element.tag === DER.GENERALIZED_TIME && at < YEAR_2050) note('time-form', element.at)
    return at
  }
  const dates = { notBefore: time('notBefore'), notAfter: time('notAfter') }
  reader.finish()
  return dates
}

function readKey(reader: DerReader, note: Note): SubjectKey {
  const element = reader.next('subjectPublicKeyInfo', DER.SEQUENCE)
  const key = parseSubjectKey(reader.whole, element, `${reader.path}.subjectPublicKeyInfo`)
  if (key.isRelabelled) note('rsaes-oaep', element.at)
  return key
}

function readExtensions(reader: DerReader, version: number, note: Note) {
  const outer = reader.maybe('extensions', EXTENSIONS_TAG)
  if (outer === undefined) return { critical: [], extensions: new Map() }
  if (version < 3)
    throw new WireError(
      `${reader.path}.extensions`,
      outer.at,
      `are of version 3, and this is ${version}`,
    )
  const inner = reader.inside('extensions', outer)
  const list = new DerReader(reader.whole, inner.next('list', DER.SEQUENCE), inner.path)
  inner.finish()
  return readList(list, note)
}

function readList(list: DerReader, note: Note) {
  const critical: string[] = []
  const extensions = new Map<string, Uint8Array>()
  let known: KnownExtensions = {}
  do {
    const reader = list.enter(`[${extensions.size}]`, DER.SEQUENCE)
    const id = readIdentifier(reader, 'extnID')
    if (extensions.has(id)) throw new WireError(reader.path, reader.offset, `is ${id} once more`)
    if (readCritical(reader)) critical.push(id)
    const value = reader.next('extnValue', DER.OCTET_STRING)
    reader.finish()
    extensions.set(id, derContents(list.whole, value))
    known = { ...known, ...readKnown(id, reader, value, note) }
  } while (!list.isAtEnd)
  return { ...known, critical, extensions }
}

function readCritical(reader: DerReader): boolean {
  const flag = reader.maybe('critical', DER.BOOLEAN)
  return flag !== undefined && reader.whole[flag.inside] !== 0
}

function readKnown(id: string, { whole, path }: DerReader, value: DerElement, note: Note) {
  try {
    return parseExtension(id, whole, value, `${path}.extnValue`)
  } catch (error) {
    if (!(error instanceof WireError) || id !== EXTENSIONS.SUBJECT_DIRECTORY_ATTRIBUTES) throw error
    note('tpm-specification', error.offset)
    return {}
  }
}
