import { generateKeyPairSync } from 'node:crypto'
import type { Machine } from '../../../simulator/machine/machine.ts'
import {
  createManufacturer,
  type Manufacturer,
  type UnusualCertificate,
} from '../../../simulator/swtpm/manufacturer.ts'
import { parseTpm2bPublic, spkiOf } from '../../../simulator/tpm/public.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { flipBit } from '../bytes.ts'
import { encodeCertificate } from './registration.ts'

const DAYS = 86_400_000
/** Days by which validity is shifted; certificates are valid for 3650 days. */
const LONG_AGO = 3700

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const UNKNOWN = '1.3.6.1.4.1.99999.1'
/** KeyUsageFlags: `digitalSignature`; `keyEncipherment` with `keyCertSign`. */
const SIGNS = 1
const SIGNS_CERTIFICATES = 4 + 32
const ANOTHER_TPM = '2.23.133.2.1=id:00001014, 2.23.133.2.1=id:53544D20, 2.23.133.2.2=swtpm'

function anotherKey(): Uint8Array {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
}

/** A certificate for the machine's EK from its manufacturer, with one change. */
function unlike(change: UnusualCertificate): (case_: Case) => Promise<Uint8Array> {
  return ({ spki, manufacturer }) => manufacturer.certifyEk(spki, change)
}

/** Variants of the machine's EK certificate. Each has one defect, except `by-subordinate`, which is valid. */
const CERTIFICATE_DEFECTS = {
  /** Issued by a manufacturer that the deployment does not trust. */
  'another-maker': async ({ spki, now }) =>
    (await createManufacturer({ name: 'Another TPM Manufacturer', now })).certifyEk(spki),
  /** Issued under the name of a trusted manufacturer with a different key. */
  impostor: async ({ spki, now }) =>
    (await createManufacturer({ now })).certifyEk(spki, { withoutKeyIdentifier: true }),
  /** Issued by a trusted manufacturer, expired. */
  expired: ({ spki, now, manufacturer }) =>
    manufacturer.certifyEk(spki, { now: new Date(now.getTime() - LONG_AGO * DAYS) }),
  /** Issued by a trusted manufacturer, not yet valid. */
  'not-yet-valid': ({ spki, now, manufacturer }) =>
    manufacturer.certifyEk(spki, { now: new Date(now.getTime() + LONG_AGO * DAYS) }),
  /** One bit of the signature is flipped. */
  altered: async ({ certificate }) => flipBit(certificate, -1),
  /** Issued for the key of another TPM. */
  'other-key': ({ manufacturer }) => manufacturer.certifyEk(anotherKey()),
  /** Truncated by 20 bytes. */
  cut: async ({ certificate }) => certificate.subarray(0, -20),
  /** basicConstraints has cA true. */
  authority: unlike({ ca: true }),
  /** keyUsage includes keyCertSign. */
  'signs-certificates': unlike({ keyUsages: SIGNS_CERTIFICATES }),
  /** keyUsage is digitalSignature only. */
  'signs-only': unlike({ keyUsages: SIGNS }),
  /** extendedKeyUsage is clientAuth only. */
  'other-use': unlike({ usages: [CLIENT_AUTH] }),
  /** It has no extendedKeyUsage. */
  'no-use': unlike({ usages: [] }),
  /** It has an unknown critical extension. */
  'unknown-critical': unlike({ critical: UNKNOWN }),
  /** The signature uses SHA-1. */
  sha1: unlike({ sha1: true }),
  /** subjectAltName has two manufacturers. */
  'two-makers': unlike({ names: ANOTHER_TPM }),
  /** Issued by a subordinate CA below a CA with pathLenConstraint 0. */
  'path-too-long': unlike({ by: 'below-last' }),
  /** Issued by a CA whose name constraints exclude this TPM. */
  'name-not-permitted': unlike({ by: 'named' }),
  /** Issued by a certificate that is not a CA. */
  'no-authority': unlike({ by: 'ordinary' }),
  /** Issued by a subordinate CA of the manufacturer. This one is valid. */
  'by-subordinate': unlike({ by: 'last' }),
} as const satisfies Readonly<Record<string, (case_: Case) => Promise<Uint8Array>>>

export type CertificateDefect = keyof typeof CERTIFICATE_DEFECTS

interface Case {
  readonly spki: Uint8Array
  readonly certificate: Uint8Array
  readonly manufacturer: Manufacturer
  readonly now: Date
}

/** The machine's EK certificate with that defect, in DER. */
export function certificateWithDefect(
  { ek }: Pick<Machine, 'ek'>,
  defect: CertificateDefect,
  manufacturer: Manufacturer,
): Promise<Uint8Array> {
  const spki = spkiOf(parseTpm2bPublic(ek.public))
  const parts = { spki, certificate: ek.certificate, manufacturer, now: new Date() }
  return CERTIFICATE_DEFECTS[defect](parts)
}

/** `ekcert` of a registration: the machine's EK certificate with that defect. */
export async function defectiveEkCertificate(
  machine: Pick<Machine, 'ek'>,
  defect: CertificateDefect,
  { manufacturer, dialect }: { readonly manufacturer: Manufacturer; readonly dialect: Dialect },
): Promise<string> {
  return encodeCertificate(await certificateWithDefect(machine, defect, manufacturer), dialect)
}
