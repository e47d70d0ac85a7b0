import { toHex } from '../../../simulator/tpm/write.ts'
import type { Meanings } from '../read-fields.ts'
import { bytes, shortHex } from '../show.ts'

const NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.23.133.2.1', 'tpmManufacturer'],
  ['2.23.133.2.2', 'tpmModel'],
  ['2.23.133.2.3', 'tpmVersion'],
  ['2.5.29.9', 'subjectDirectoryAttributes: the TPM specification'],
  ['2.5.29.14', 'subjectKeyIdentifier'],
  ['2.5.29.15', 'keyUsage'],
  ['2.5.29.17', 'subjectAltName: vendor, model and version of the TPM'],
  ['2.5.29.19', 'basicConstraints'],
  ['2.5.29.30', 'nameConstraints'],
  ['2.5.29.32', 'certificatePolicies'],
  ['2.5.29.35', 'authorityKeyIdentifier'],
  ['2.5.29.37', 'extKeyUsage'],
])

/** An object identifier in dotted form, limited to 20 bytes. */
export function dotted(contents: Uint8Array): string {
  const arcs: number[] = []
  let arc = 0
  for (const byte of contents.subarray(0, 20)) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [first = 0, ...rest] = arcs
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - 40 * root, ...rest].join('.')
}

/** Short name of an object identifier; its dotted form if it is unknown. */
function calledBy(id: string): string {
  return NAMES.get(id) ?? id
}

const size = (raw: Uint8Array): string => bytes(raw.length)
const hex = (raw: Uint8Array): string => shortHex(toHex(raw), 24)
const time = (raw: Uint8Array): string => Buffer.from(raw).toString('latin1')

/** Explanations of the fields of a certificate (RFC 5280, 4.1). */
export const CERTIFICATE_MEANINGS: Meanings = {
  version: {
    means: 'X.509 version, counted from 0: 2 is version 3',
    show: (raw) => `${raw.at(-1) ?? ''}`,
  },
  serialNumber: { means: 'serial number, assigned by the issuer', show: hex },
  signature: { means: 'signature algorithm', show: size },
  issuer: { means: 'name of the issuer', show: size },
  'validity.notBefore': { means: 'start of validity', show: time },
  'validity.notAfter': { means: 'end of validity', show: time },
  subject: { means: 'name of the subject; empty if subjectAltName names the TPM', show: size },
  subjectPublicKeyInfo: { means: 'the endorsement key', show: size },
  uniqueID: { means: 'unique identifier, an obsolete field', show: hex },
  'extensions.extnID': {
    means: 'identifier of the extension',
    show: (raw) => calledBy(dotted(raw)),
  },
  'extensions.critical': {
    means: 'whether a parser that does not know the extension must reject the certificate',
    show: (raw) => (raw[0] === 0 ? 'no' : 'yes'),
  },
  'extensions.extnValue': { means: 'value of the extension', show: hex },
  signatureAlgorithm: {
    means: 'signature algorithm again, not covered by the signature',
    show: size,
  },
  signatureValue: { means: 'signature of the issuer', show: size },
}
