import { X509Certificate } from 'node:crypto'
import { fromHex, toHex } from '../../../simulator/tpm/write.ts'
import {
  CertificateFault,
  type CertificateField,
  readCertificate,
} from '../../../simulator/x509/read-certificate.ts'
import type { Broken, Field, Inspection, Source } from '../inspection.ts'
import type { Given } from '../read-given.ts'
import { isPlainText, readBlob } from '../text-forms.ts'
import { collectWarnings } from '../warnings.ts'
import { certificateFacts } from './certificate-facts.ts'
import { CERTIFICATE_MEANINGS } from './certificate-meanings.ts'
import { warnOfCertificate } from './certificate-warnings.ts'
import { compareTrust, type Trust } from './compare-trust.ts'

const CERTIFICATE_PART = 'certificate'
const ABOUT =
  'An endorsement key certificate: its issuer states that a key is the endorsement key of a TPM. It is only as trustworthy as its issuer.'
const BEGIN = '-----BEGIN CERTIFICATE-----'
const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)/
const HEADER = fromHex('1001')

interface Unwrapped {
  readonly bytes: Uint8Array
  readonly form: string
  /** Number of certificates after the first one. */
  readonly further: number
}

function unwrapped(given: Uint8Array): Unwrapped {
  const text = isPlainText(given) ? Buffer.from(given).toString('latin1') : ''
  const [, body] = PEM.exec(text) ?? []
  if (body !== undefined) {
    const further = text.split(BEGIN).length - 2
    return { bytes: new Uint8Array(Buffer.from(body, 'base64')), form: 'PEM', further }
  }
  const { bytes, form } = readBlob(given)
  return { bytes, form, further: 0 }
}

/** Length of the header that TPM 1.2 tools write before the certificate. */
function headerLength(bytes: Uint8Array): number {
  return bytes[0] === HEADER[0] && bytes[1] === HEADER[1] ? 7 : 0
}

function shown(bytes: Uint8Array, { path, offset, length }: CertificateField): Field {
  const raw = bytes.subarray(offset, offset + length)
  const meaning = CERTIFICATE_MEANINGS[path.replaceAll(/\[\d+\]/g, '')]
  return {
    path,
    offset,
    length,
    raw: toHex(raw),
    value: meaning?.show(raw) ?? '',
    means: meaning?.means ?? '',
  }
}

/** Decodes an EK certificate, and verifies its chain if trusted certificates are given. */
export function inspectEkcert(given: Given, trust: Trust | undefined): Inspection {
  const { bytes, form, further } = unwrapped(given.bytes)
  const source: Source = { file: given.file, form, length: given.bytes.length }
  const warnings = collectWarnings()
  const fields: CertificateField[] = []
  const at = headerLength(bytes)
  let end = bytes.length
  let broken: readonly Broken[] = []
  try {
    end = readCertificate(bytes, at, (field) => fields.push(field))
  } catch (error) {
    if (!(error instanceof CertificateFault)) throw error
    const { path, offset, message: why } = error
    broken = [{ part: CERTIFICATE_PART, offset, path, why }]
  }
  const der = bytes.subarray(at, end)
  const read = broken.length === 0 ? attempt(() => new X509Certificate(der)) : undefined
  warnOfCertificate({ bytes, at, end, fields, read }, warnings)
  if (further > 0) {
    const place = { part: CERTIFICATE_PART, offset: 0, path: '' }
    warnings.add('further-certificates', { ...place, says: `${further} after the first one` })
  }
  return {
    kind: 'ekcert',
    about: ABOUT,
    sources: [source],
    facts: read === undefined ? [] : certificateFacts(read, bytes, fields),
    parts: [
      {
        name: CERTIFICATE_PART,
        about: 'signed fields, signature algorithm and signature',
        form,
        length: bytes.length,
        fields: fields.map((field) => shown(bytes, field)),
      },
    ],
    comparisons: read === undefined ? [] : compareTrust(read, trust),
    warnings: warnings.list(),
    broken,
    ...{ ima: null, eventlog: null, policy: null },
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
