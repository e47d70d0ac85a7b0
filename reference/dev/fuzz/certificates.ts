import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { DER, derBytes, derChildren, derElementAt } from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'
import {
  type CertificateParts,
  commonName,
  der,
  extension,
  hex,
  IDS,
  sequence,
  text,
  writeCertificate,
} from '../../evidence/testing/write-certificate.ts'
import { type PathCertificate, readPathCertificate } from '../../pki/path-certificate.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import type { Input } from './target.ts'

/** An EK certificate as it is submitted; plain data. */
export interface CertificateRun extends Input {
  readonly bytes: Uint8Array
  /** Whether the maker signs it anew, in place of the signature that it has. */
  readonly signed: boolean
}

/** When certificates are judged. */
export const NOON = Date.UTC(2027, 0, 1)

interface Maker {
  readonly name: string
  readonly key: KeyObject
  readonly spki: Uint8Array
}

/** A maker whose key follows from its name: it gives its secret away, so that a run can be repeated. */
function maker(name: string): Maker {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(createHash('sha256').update(name).digest())
  const point = ecdh.getPublicKey()
  const text64 = (bytes: Buffer) => bytes.toString('base64url')
  const [x = '', y = '', d = ''] = [
    point.subarray(1, 33),
    point.subarray(33),
    ecdh.getPrivateKey(),
  ].map(text64)
  const jwk = { kty: 'EC', crv: 'P-256', ...{ x, y, d } }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
  return { name, key, spki: new Uint8Array(spki) }
}

const MAKER = maker('maker')
/** May name nothing but what begins with the common name TPM. */
export const NARROW = maker('narrow')

const tree = sequence(der(0xa4, commonName('TPM')))
const AUTHORITY = [
  extension(IDS.constraints, sequence(hex('0101ff')), true),
  extension(IDS.keyUsage, hex('03020204'), true),
]

function authority({ name, key, spki }: Maker, besides: readonly Uint8Array[]): PathCertificate {
  const names = { issuer: commonName(name), subject: commonName(name) }
  const extensions = [...AUTHORITY, ...besides]
  return readPathCertificate(writeCertificate(spki, key, { ...names, extensions }))
}

const local = (name: string) => {
  const pem = Buffer.from(recorded(`swtpm-localca-${name}.pem`)).toString('latin1')
  const [, body = ''] = /-----BEGIN CERTIFICATE-----([^-]+)/.exec(pem) ?? []
  return readPathCertificate(Buffer.from(body, 'base64'))
}

/** The makers that are known. */
export const STORE: readonly PathCertificate[] = [
  local('issuercert'),
  local('rootca-cert'),
  authority(MAKER, []),
  authority(NARROW, [extension(IDS.nameConstraints, sequence(der(0xa0, tree)), true)]),
]

const attribute = (id: string, value: string) => der(0x31, sequence(hex(id), text(0x0c, value)))
const TPM_NAMES = sequence(
  attribute('06056781050201', 'id:53544D20'),
  attribute('06056781050202', 'a model'),
  attribute('06056781050203', 'id:00010102'),
)
const SPECIFICATION = sequence(
  sequence(
    hex('06056781050210'),
    der(0x31, sequence(text(0x0c, '2.0'), hex('020100'), hex('0202008a'))),
  ),
)
const USAGES = sequence(hex('06056781050801'))

const EXTENSIONS = [
  extension(IDS.alternativeName, sequence(der(0xa4, TPM_NAMES)), true),
  extension(IDS.directoryAttributes, SPECIFICATION),
  extension(IDS.constraints, sequence(), true),
  extension(IDS.keyUsage, hex('03020308'), true),
  extension(IDS.usages, USAGES),
  extension('0603551d23', hex('3006 8004 01020304'.replaceAll(' ', ''))),
]

/** What vendors write: defaults spelt out. */
const ODD_EXTENSIONS = [
  sequence(hex(IDS.constraints), hex('010100'), der(0x04, sequence(hex('010100')))),
  sequence(hex(IDS.usages), hex('010100'), der(0x04, USAGES)),
  extension(IDS.keyUsage, hex('03020520'), true),
]

/** Under two attributes of one relative name, in the wrong order. */
const ODD_SUBJECT = sequence(
  der(
    0x31,
    sequence(hex('060355040a'), text(0x0c, 'maker of TPMs')),
    sequence(hex('0603550403'), text(0x0c, 'a')),
  ),
)
/** The key of the recorded TPM under the label RSAES-OAEP. */
function oaepLabelled(): Uint8Array {
  const { spki } = readPathCertificate(recorded('ekcert_1c00002.der')).read.key
  const [, key] = derChildren(spki, derElementAt(spki, 0, spki.length, ''), '')
  if (key === undefined) throw new Error('the recorded certificate has no key')
  return sequence(sequence(hex('06092a864886f70d010107'), hex('0500')), derBytes(spki, key))
}

/** A certificate whose signature is the same every time, and good for nothing: it is signed anew when it is judged. */
function unsigned(by: Maker, spki: Uint8Array, change: Partial<CertificateParts>): Uint8Array {
  const parts = { issuer: commonName(by.name), ...change }
  return withSignature(writeCertificate(spki, by.key, parts), hex('3006020101020101'))
}

function withSignature(certificate: Uint8Array, signature: Uint8Array): Uint8Array {
  const [body, algorithm] = partsOf(certificate)
  return sequence(body, algorithm, der(DER.BIT_STRING, Uint8Array.of(0), signature))
}

function partsOf(certificate: Uint8Array): readonly [body: Uint8Array, algorithm: Uint8Array] {
  const outer = derElementAt(certificate, 0, certificate.length, '')
  const [body, algorithm] = derChildren(certificate, outer, '')
  if (body === undefined || algorithm === undefined) throw new WireError('', 0, 'is no certificate')
  return [derBytes(certificate, body), derBytes(certificate, algorithm)]
}

/** Signs a certificate anew, whichever of the makers it names; what cannot be taken apart stays as it is. */
export function signAnew(certificate: Uint8Array): Uint8Array {
  try {
    const [body] = partsOf(certificate)
    const isNarrow = Buffer.from(body).includes(Buffer.from(commonName(NARROW.name)))
    return withSignature(certificate, sign('sha256', body, (isNarrow ? NARROW : MAKER).key))
  } catch (error) {
    if (error instanceof WireError) return certificate
    throw error
  }
}

const EK = maker('the key of a TPM')

/** Certificates without a defect: of the recorded TPM, and of makers that sign anew whatever has been changed. */
export const HONEST_CERTIFICATES: readonly CertificateRun[] = [
  { bytes: recorded('ekcert_1c00002.der'), signed: false },
  { bytes: recorded('ekcert_1c00016.der'), signed: false },
  {
    bytes: unsigned(MAKER, EK.spki, { subject: sequence(), extensions: EXTENSIONS }),
    signed: true,
  },
  {
    bytes: unsigned(MAKER, oaepLabelled(), {
      ...{ subject: ODD_SUBJECT, extensions: ODD_EXTENSIONS, serialNumber: hex('020180') },
    }),
    signed: true,
  },
  { bytes: unsigned(NARROW, EK.spki, { extensions: EXTENSIONS.slice(2) }), signed: true },
  { bytes: unsigned(MAKER, EK.spki, { extensions: ODD_EXTENSIONS.slice(0, 1) }), signed: true },
].map((run, of) => ({ of, ...run }))
