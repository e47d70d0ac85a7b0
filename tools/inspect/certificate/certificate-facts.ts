import type { X509Certificate } from 'node:crypto'
import { type CertificateField, elementsIn } from '../../../simulator/x509/read-certificate.ts'
import type { Fact } from '../inspection.ts'
import { dotted } from './certificate-meanings.ts'

const EK_CERTIFICATE = '2.23.133.8.1'
const TPM_NAMES: readonly (readonly [id: string, name: string])[] = [
  ['2.23.133.2.1', 'TPM vendor'],
  ['2.23.133.2.2', 'TPM model'],
  ['2.23.133.2.3', 'TPM version'],
]

/** Vendor id as text: `IFX` for `id:49465800`. */
function makerOf(value: string): string {
  const digits = /^id:([0-9A-Fa-f]{8})$/.exec(value)?.[1] ?? ''
  const text = Buffer.from(digits, 'hex').toString('latin1').replace(/\0+$/, '').trimEnd()
  return /^[\x21-\x7e]+$/.test(text) ? `${text} (${value})` : value
}

function keyOf(read: X509Certificate): string {
  try {
    const { asymmetricKeyType: kind, asymmetricKeyDetails: details = {} } = read.publicKey
    return kind === 'rsa'
      ? `RSA, ${details.modulusLength} bits`
      : `${kind} ${details.namedCurve ?? ''}`.trim()
  } catch {
    return 'OpenSSL cannot load it'
  }
}

const SEQUENCE = 0x30
const OBJECT_IDENTIFIER = 0x06
const CONSTRUCTED = 0x20
const DEEPEST = 8

type Attribute = readonly [id: string, value: string]

/** Pairs of an object identifier and a text at any depth. */
function attributesIn(
  bytes: Uint8Array,
  where: { readonly inside: number; readonly end: number },
  depth = 0,
): readonly Attribute[] {
  return elementsIn(bytes, where, 'names').flatMap((element) => {
    const [id, value] = element.tag === SEQUENCE ? elementsIn(bytes, element, 'names') : []
    if (id?.tag === OBJECT_IDENTIFIER && value !== undefined) {
      const text = Buffer.from(bytes.subarray(value.inside, value.end)).toString('utf8')
      return [[dotted(bytes.subarray(id.inside, id.end)), text] as const]
    }
    const holds = (element.tag & CONSTRUCTED) !== 0 && depth < DEEPEST
    return holds ? attributesIn(bytes, element, depth + 1) : []
  })
}

/** TPM attributes in the extensions. */
function tpmFacts(bytes: Uint8Array, fields: readonly CertificateField[]): readonly Fact[] {
  const values = fields.filter(({ path }) => path.endsWith('.extnValue'))
  const attributes = values.flatMap(({ offset, length }) => {
    try {
      return attributesIn(bytes, { inside: offset, end: offset + length })
    } catch {
      return []
    }
  })
  return TPM_NAMES.flatMap(([id, name]) =>
    attributes
      .filter(([type]) => type === id)
      .map(([, value]) => ({ name, value: id.endsWith('.1') ? makerOf(value) : value })),
  )
}

/** Summary of a certificate; OpenSSL parses it except for the TPM attributes. */
export function certificateFacts(
  read: X509Certificate,
  bytes: Uint8Array,
  fields: readonly CertificateField[],
): readonly Fact[] {
  const { subject = '', issuer, keyUsage, validFrom, validTo } = read
  const uses = (keyUsage ?? []).map((id) => (id === EK_CERTIFICATE ? `${id}, endorsement key` : id))
  return [
    ...tpmFacts(bytes, fields),
    { name: 'key', value: keyOf(read) },
    { name: 'usage', value: uses.join('; ') || 'not stated' },
    { name: 'subject', value: (subject || 'empty').replaceAll('\n', ', ') },
    { name: 'issuer', value: issuer.replaceAll('\n', ', ') },
    { name: 'valid', value: `${validFrom} to ${validTo}` },
  ]
}
