import { type KeyObject, sign } from 'node:crypto'
import { fromHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'

/** One DER element: tag, shortest length, contents. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const contents = concat(...parts)
  return concat(Uint8Array.of(tag, ...lengthOf(contents.length)), contents)
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  const low = [(length >> 8) & 0xff, length & 0xff]
  return length < 0x10000 ? [0x82, ...low] : [0x83, length >> 16, ...low]
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const hex = (digits: string) => fromHex(digits.replaceAll(' ', ''))
export const text = (tag: number, words: string) => der(tag, new TextEncoder().encode(words))

/** An extension; by default not critical. */
export function extension(id: string, value: Uint8Array, critical = false): Uint8Array {
  return sequence(hex(id), ...(critical ? [hex('0101ff')] : []), der(0x04, value))
}

/** Object identifiers of extensions, as DER in hexadecimal. */
export const IDS = {
  directoryAttributes: '0603551d09',
  keyUsage: '0603551d0f',
  alternativeName: '0603551d11',
  constraints: '0603551d13',
  nameConstraints: '0603551d1e',
  usages: '0603551d25',
} as const

/** The parts of a TBSCertificate (RFC 5280, 4.1), each in DER. */
export interface CertificateParts {
  readonly version: Uint8Array
  readonly serialNumber: Uint8Array
  readonly signature: Uint8Array
  readonly issuer: Uint8Array
  readonly validity: Uint8Array
  readonly subject: Uint8Array
  readonly spki: Uint8Array
  readonly extensions: readonly Uint8Array[]
  /** AlgorithmIdentifier outside the signed part; default: the one inside. */
  readonly outerAlgorithm: Uint8Array
}

const ECDSA_SHA256 = hex('300a06082a8648ce3d040302')

/** A Name of one common name. */
export function commonName(words: string): Uint8Array {
  return sequence(der(0x31, sequence(hex('0603550403'), text(0x0c, words))))
}

/** Two times, `YYMMDDhhmmssZ`. */
export function validity(from: string, to: string): Uint8Array {
  return sequence(text(0x17, from), text(0x17, to))
}

/** A certificate of version 3 for a key, signed by another on P-256 with SHA-256, with the given changes. */
export function writeCertificate(
  spki: Uint8Array,
  issuerKey: KeyObject,
  change: Partial<CertificateParts> = {},
): Uint8Array {
  const parts: CertificateParts = {
    version: hex('a003020102'),
    serialNumber: hex('020105'),
    signature: ECDSA_SHA256,
    issuer: commonName('maker'),
    validity: validity('260101000000Z', '491231235959Z'),
    subject: commonName('TPM'),
    spki,
    extensions: [],
    outerAlgorithm: change.signature ?? ECDSA_SHA256,
    ...change,
  }
  const { extensions } = parts
  const body = sequence(
    ...[parts.version, parts.serialNumber, parts.signature, parts.issuer, parts.validity],
    ...[parts.subject, parts.spki],
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  )
  const signature = sign('sha256', body, issuerKey)
  return sequence(body, parts.outerAlgorithm, der(0x03, Uint8Array.of(0), signature))
}
