import type { X509Certificate } from 'node:crypto'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { CertificateField } from '../../../simulator/x509/read-certificate.ts'
import { unorderedSets } from '../set-order.ts'
import type { WarningId, Warnings } from '../warnings.ts'

/** A certificate as far as it could be parsed, and its position in the input. */
interface CertificateCase {
  readonly bytes: Uint8Array
  /** Offsets of its start and end. */
  readonly at: number
  readonly end: number
  readonly fields: readonly CertificateField[]
  /** The certificate as parsed by OpenSSL; undefined if OpenSSL rejects it. */
  readonly read: X509Certificate | undefined
}

const EK_CERTIFICATE = '2.23.133.8.1'
const BASIC_CONSTRAINTS = '551d13'
const OAEP = '06092a864886f70d010107'
const WEAK: ReadonlyMap<string, string> = new Map([
  ['06092a864886f70d010104', 'MD5'],
  ['06092a864886f70d010105', 'SHA-1'],
  ['06072a8648ce3d0401', 'SHA-1'],
])

/** Collects the warnings of a certificate, with byte offsets. */
export function warnOfCertificate(one: CertificateCase, warnings: Warnings): void {
  const { bytes, at, end, fields, read } = one
  const warn = (id: WarningId, path: string, offset: number, says: string) =>
    warnings.add(id, { part: 'certificate', offset, path, says })
  const fieldOf = (path: string) => fields.find((field) => field.path === path)
  const rawOf = (field: CertificateField | undefined) =>
    field === undefined ? '' : toHex(bytes.subarray(field.offset, field.offset + field.length))

  if (at > 0) warn('nv-header', '', 0, `${at} bytes`)
  if (end < bytes.length) warnOfRest(bytes, end, warn)
  const key = fieldOf('subjectPublicKeyInfo')
  if (rawOf(key).includes(OAEP))
    warn('oaep-label', 'subjectPublicKeyInfo', key?.offset ?? 0, 'RSAES-OAEP')
  const algorithm = fieldOf('signature')
  const weak = [...WEAK].find(([id]) => rawOf(algorithm).startsWith(id))?.[1]
  if (weak !== undefined) warn('weak-certificate', 'signature', algorithm?.offset ?? 0, weak)
  warnOfSets(one, warn)
  warnOfExtensions(one, warn)
  if (read !== undefined && read.keyUsage?.includes(EK_CERTIFICATE) !== true)
    warn('no-ek-usage', '', at, (read.keyUsage ?? []).join(', ') || 'no extended key usage')
}

type Warn = (id: WarningId, path: string, offset: number, says: string) => void

function hexOf(bytes: Uint8Array, { offset, length }: CertificateField): string {
  return toHex(bytes.subarray(offset, offset + length))
}

/** Checks names and extensions; the other fields contain no SET. */
function warnOfSets({ bytes, fields }: CertificateCase, warn: Warn): void {
  for (const { path, offset, length } of fields) {
    if (path !== 'issuer' && path !== 'subject' && !path.endsWith('.extnValue')) continue
    for (const at of unorderedSets(bytes, { inside: offset, end: offset + length }))
      warn('set-order', path, at, 'SET')
  }
}

function warnOfExtensions({ bytes, fields }: CertificateCase, warn: Warn): void {
  for (const field of fields)
    if (field.path.endsWith('.critical') && bytes[field.offset] === 0)
      warn('default-spelt-out', field.path, field.offset, 'critical FALSE')
  for (const [index, field] of fields.entries())
    if (
      hexOf(bytes, field) === BASIC_CONSTRAINTS &&
      saysCa(fields.slice(index + 1, index + 3).map((each) => hexOf(bytes, each)))
    )
      warn('authority-certificate', field.path, field.offset, 'basicConstraints says CA')
}

/** Whether one of the values is a SEQUENCE that begins with TRUE (`critical` may be absent before the value). */
function saysCa(following: readonly string[]): boolean {
  return following.some((raw) => /^30..0101(?!00)/.test(raw))
}

function warnOfRest(
  bytes: Uint8Array,
  end: number,
  warn: (id: WarningId, path: string, offset: number, says: string) => void,
): void {
  const rest = bytes.subarray(end)
  const filled = rest.every((byte) => byte === 0) || rest.every((byte) => byte === 0xff)
  warn(filled ? 'nv-padding' : 'trailing-bytes', '', end, `${rest.length} bytes`)
}
