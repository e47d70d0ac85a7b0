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
  ['2.5.29.17', 'subjectAltName: which TPM it is'],
  ['2.5.29.19', 'basicConstraints'],
  ['2.5.29.30', 'nameConstraints'],
  ['2.5.29.32', 'certificatePolicies'],
  ['2.5.29.35', 'authorityKeyIdentifier'],
  ['2.5.29.37', 'extKeyUsage'],
])

/** An object identifier in dots, of at most 20 arcs. */
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

/** What an object identifier is called, in short; its dots where it is not known. */
function calledBy(id: string): string {
  return NAMES.get(id) ?? id
}

const size = (raw: Uint8Array): string => bytes(raw.length)
const hex = (raw: Uint8Array): string => shortHex(toHex(raw), 24)
const time = (raw: Uint8Array): string => Buffer.from(raw).toString('latin1')

/** What each part of a certificate says (RFC 5280, 4.1). */
export const CERTIFICATE_MEANINGS: Meanings = {
  version: {
    means: 'version of X.509, counted from 0: 2 is version 3',
    show: (raw) => `${raw.at(-1) ?? ''}`,
  },
  serialNumber: { means: 'number that its maker gave it', show: hex },
  signature: { means: 'how it is signed', show: size },
  issuer: { means: 'who issued it', show: size },
  'validity.notBefore': { means: 'from when on it holds', show: time },
  'validity.notAfter': { means: 'until when it holds', show: time },
  subject: { means: 'whom it is for; empty where the TPM is named below', show: size },
  subjectPublicKeyInfo: { means: 'the endorsement key', show: size },
  uniqueID: { means: 'a number that nobody uses any more', show: hex },
  'extensions.extnID': {
    means: 'what the next extension is about',
    show: (raw) => calledBy(dotted(raw)),
  },
  'extensions.critical': {
    means: 'whether one who does not know it must refuse',
    show: (raw) => (raw[0] === 0 ? 'no' : 'yes'),
  },
  'extensions.extnValue': { means: 'what it says', show: hex },
  signatureAlgorithm: {
    means: 'how it is signed, once more and not covered by the signature',
    show: size,
  },
  signatureValue: { means: 'the signature of whoever issued it', show: size },
}
