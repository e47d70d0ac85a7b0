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

const HOURS = 3_600_000
const DAYS = 24 * HOURS
/** Days by which validity is shifted; certificates are valid for 3650 days. */
const LONG_AGO = 3700

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
/** tcg-kp-EKCertificate and tcg-kp-PlatformAttributeCertificate. */
const EK_CERTIFICATE = '2.23.133.8.1'
const PLATFORM_CERTIFICATE = '2.23.133.8.2'
const UNKNOWN = '1.3.6.1.4.1.99999.1'
/** An extension of the arc of RFC 5280 that no standard defines. */
const UNKNOWN_OF_STANDARD = '2.5.29.99'
/** KeyUsageFlags: `digitalSignature`; `dataEncipherment`; `keyEncipherment` with `keyCertSign`. */
const SIGNS = 1
const ENCRYPTS_DATA = 8
const SIGNS_CERTIFICATES = 4 + 32
const THIS_TPM = '2.23.133.2.1=id:00001014, 2.23.133.2.2=swtpm, 2.23.133.2.3=id:20191023'
const ANOTHER_TPM = '2.23.133.2.1=id:00001014, 2.23.133.2.1=id:53544D20, 2.23.133.2.2=swtpm'
const THREE_TPMS = `${ANOTHER_TPM}, 2.23.133.2.1=id:49465800`
/** All of them in one relative name, as some manufacturers write them. */
const NAMES_TOGETHER = THIS_TPM.replaceAll(', ', '+')
const OUTSIDE = 'CN=outside'
/** [0] EXPLICIT INTEGER 2. */
const VERSION_3 = Uint8Array.of(0xa0, 3, 2, 1, 2)

function anotherKey(): Uint8Array {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
}

/** A certificate for the machine's EK from its manufacturer, with one change. */
function unlike(change: UnusualCertificate): (case_: Case) => Promise<Uint8Array> {
  return ({ spki, manufacturer }) => manufacturer.certifyEk(spki, change)
}

/** A certificate for the machine's EK with other dates, in milliseconds from now. */
function dated(from: number, to: number): (case_: Case) => Promise<Uint8Array> {
  return ({ spki, manufacturer, now }) => {
    const at = (milliseconds: number) => new Date(now.getTime() + milliseconds)
    return manufacturer.certifyEk(spki, { dates: { notBefore: at(from), notAfter: at(to) } })
  }
}

/** Variants of the machine's EK certificate. Each of these has one defect. */
const CERTIFICATE_DEFECTS = {
  /** Issued by a manufacturer that the deployment does not trust. */
  'another-maker': async ({ spki, now }) =>
    (await createManufacturer({ name: 'Another TPM Manufacturer', alone: true, now })).certifyEk(
      spki,
    ),
  /** The subject is the issuer, which the deployment does not trust. */
  'self-issued': async ({ spki, now }) =>
    (await createManufacturer({ name: 'An EK', alone: true, now })).certifyEk(spki, {
      subject: 'CN=An EK',
    }),
  /** Issued under the name of a trusted manufacturer with a different key. */
  impostor: async ({ spki, now }) =>
    (await createManufacturer({ alone: true, now })).certifyEk(spki, {
      withoutKeyIdentifier: true,
    }),
  /** Issued by a trusted manufacturer, expired. */
  expired: ({ spki, now, manufacturer }) =>
    manufacturer.certifyEk(spki, { now: new Date(now.getTime() - LONG_AGO * DAYS) }),
  /** Issued by a trusted manufacturer, not yet valid. */
  'not-yet-valid': ({ spki, now, manufacturer }) =>
    manufacturer.certifyEk(spki, { now: new Date(now.getTime() + LONG_AGO * DAYS) }),
  /** Expired an hour ago. */
  'expired-hour': dated(-30 * DAYS, -HOURS),
  /** Valid from in an hour. */
  'not-yet-valid-hour': dated(HOURS, 30 * DAYS),
  /** Expired at the end of 1999, which is written in two digits. */
  'expired-1999': unlike({
    dates: { notBefore: new Date('1990-01-01Z'), notAfter: new Date('1999-12-31T23:59:59Z') },
  }),
  /** Issued under the name of a subordinate CA of a trusted manufacturer with a different key. */
  'impostor-of-subordinate': unlike({ by: 'last', forged: true }),
  /** Issued under the name of a trusted manufacturer, and with its key identifier, with a different key. */
  'impostor-with-identifier': unlike({ forged: true }),
  /** One bit of the signature is flipped. */
  altered: async ({ certificate }) => flipBit(certificate, -1),
  /** Issued for the key of another TPM. */
  'other-key': ({ manufacturer }) => manufacturer.certifyEk(anotherKey()),
  /** Truncated by 20 bytes. */
  cut: async ({ certificate }) => certificate.subarray(0, -20),
  /** basicConstraints has cA true. */
  authority: unlike({ ca: true }),
  'authority-with-length': unlike({ ca: true, pathLength: 0 }),
  /** keyUsage includes keyCertSign. */
  'signs-certificates': unlike({ keyUsages: SIGNS_CERTIFICATES }),
  /** keyUsage is digitalSignature only. */
  'signs-only': unlike({ keyUsages: SIGNS }),
  'encrypts-data-only': unlike({ keyUsages: ENCRYPTS_DATA }),
  /** extendedKeyUsage is clientAuth only. */
  'other-use': unlike({ usages: [CLIENT_AUTH] }),
  'platform-use': unlike({ usages: [PLATFORM_CERTIFICATE] }),
  'other-uses': unlike({ usages: [CLIENT_AUTH, PLATFORM_CERTIFICATE] }),
  'use-twice': unlike({ usageTwice: true }),
  /** It has an unknown critical extension. */
  'unknown-critical': unlike({ critical: UNKNOWN }),
  'unknown-critical-of-standard': unlike({ critical: UNKNOWN_OF_STANDARD }),
  /** The signature uses SHA-1. */
  sha1: unlike({ sha1: true }),
  'rsa-sha1': unlike({ by: 'rsa', sha1: true }),
  /** Has the extensions of version 3. */
  'version-2': async ({ certificate, manufacturer }) => {
    const at = Buffer.from(certificate).indexOf(VERSION_3) + VERSION_3.length - 1
    return manufacturer.signAnew(certificate.with(at, 1))
  },
  /** subjectAltName has two manufacturers. */
  'two-makers': unlike({ names: ANOTHER_TPM }),
  'three-makers': unlike({ names: THREE_TPMS }),
  'two-makers-together': unlike({ names: `${NAMES_TOGETHER}+2.23.133.2.1=id:53544D20` }),
  /** The second directory name of subjectAltName has another manufacturer. */
  'second-name-other-maker': unlike({
    otherNames: [{ type: 'dn', value: '2.23.133.2.1=id:53544D20' }],
  }),
  'subject-other-maker': unlike({ subject: '2.23.133.2.1=id:53544D20' }),
  /** Issued by a subordinate CA below a CA with pathLenConstraint 0. */
  'path-too-long': unlike({ by: 'below-last' }),
  /** Issued by a CA whose name constraints exclude this TPM. */
  'name-not-permitted': unlike({ by: 'named' }),
  /** The subject is the issuer, as of a CA that renews itself. */
  'self-issued-not-permitted': unlike({ by: 'named', selfIssued: true }),
  'name-excluded': unlike({ by: 'excluding' }),
  'name-excluded-in-capitals': unlike({ by: 'excluding-in-capitals' }),
  'model-not-permitted': unlike({ by: 'models' }),
  'subject-not-permitted': unlike({ by: 'either', subject: OUTSIDE }),
  'other-name-not-permitted': unlike({ by: 'either', names: OUTSIDE, subject: THIS_TPM }),
  'host-not-permitted': unlike({
    by: 'hosts',
    otherNames: [{ type: 'dns', value: 'badexample.com' }],
  }),
  'host-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'dns', value: 'SECRET.example.com' }],
  }),
  'host-below-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'dns', value: 'tpm.secret.example.com' }],
  }),
  /** The user before the host has another name. */
  'uri-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'url', value: 'https://example.com@secret.example.com/' }],
  }),
  'mailbox-not-permitted': unlike({
    by: 'hosts',
    otherNames: [{ type: 'email', value: 'other@example.com' }],
  }),
  /** The name before the host is the permitted one. */
  'mailbox-elsewhere': unlike({
    by: 'hosts',
    otherNames: [{ type: 'email', value: 'ek@example.org' }],
  }),
  'uri-of-domain-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'url', value: 'https://tpm.hidden.example.com:8443/' }],
  }),
  'mailbox-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'email', value: 'secret@EXAMPLE.com' }],
  }),
  'mailbox-of-host-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'email', value: 'ek@hidden.example.org' }],
  }),
  'mailbox-of-host-not-permitted': unlike({
    by: 'hosts',
    otherNames: [{ type: 'email', value: 'ek@badexample.net' }],
  }),
  'number-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'id', value: '1.3.6.1.4.1.102431' }],
  }),
  'number-not-permitted': unlike({
    by: 'numbers',
    otherNames: [{ type: 'id', value: UNKNOWN }],
  }),
  /** The mailbox is in the subject (RFC 5280, 4.2.1.10). */
  'mailbox-in-subject': unlike({ by: 'hosts', subject: 'E=other@example.com' }),
  'address-not-permitted': unlike({
    by: 'hosts',
    otherNames: [{ type: 'ip', value: '192.0.3.1' }],
  }),
  'address-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [{ type: 'ip', value: '192.0.2.129' }],
  }),
  'name-not-permitted-above': unlike({ by: 'below-named' }),
  'issuer-not-permitted': unlike({ by: 'below-either' }),
  /** Issued by a certificate that is not a CA. */
  'no-authority': unlike({ by: 'ordinary' }),
  'no-constraints': unlike({ by: 'unconstrained' }),
  'no-authority-above': unlike({ by: 'below-ordinary' }),
  'issuer-signs-data': unlike({ by: 'signs-data' }),
  'issuer-expired': unlike({ by: 'expired' }),
  'issuer-not-yet-valid': unlike({ by: 'not-yet-valid' }),
  'expired-above': unlike({ by: 'below-expired' }),
  'issuer-critical': unlike({ by: 'critical' }),
  'critical-above': unlike({ by: 'below-critical' }),
  /** Issued by a CA whose certificate names the manufacturer and has another key's signature. */
  'issuer-forged': unlike({ by: 'forged' }),

  // Unusual, and valid.
  /** It has no extendedKeyUsage. */
  'no-use': unlike({ usages: [] }),
  'no-key-usage': unlike({ keyUsages: 0 }),
  'no-own-constraints': unlike({ withoutConstraints: true }),
  'by-rsa': unlike({ by: 'rsa' }),
  'names-together': unlike({ names: NAMES_TOGETHER }),
  /** An alternative name is an otherName. */
  'other-name': unlike({ otherNames: [{ type: 'upn', value: 'ek@example.com' }] }),
  /** An extension that no reader knows, and that none has to know (RFC 5280, 4.2); its number has a byte of 0x80. */
  'unknown-extension': unlike({ further: '1.3.6.1.4.1.16384.1' }),
  /** The first byte of the number is 0x80, so that a zero precedes it. */
  'serial-number-of-zero': unlike({ serialNumber: `0080${'5a'.repeat(14)}` }),
  'several-uses': unlike({ usages: ['1.3.6.1.4.1.99999.2', EK_CERTIFICATE] }),
  /** Issued by a subordinate CA of the manufacturer with pathLenConstraint 0. */
  'by-subordinate': unlike({ by: 'last' }),
  /** Issued by a CA below one with pathLenConstraint 1. */
  'below-subordinate': unlike({ by: 'at-the-end' }),
  /** Never ends (RFC 5280, 4.1.2.5), as manufacturers write it. */
  'without-end': unlike({
    dates: { notBefore: new Date('2015-01-01Z'), notAfter: new Date('9999-12-31T23:59:59Z') },
  }),
  /** Years of two digits begin with 1950 (RFC 5280, 4.1.2.5.1). */
  'since-1950': unlike({
    dates: { notBefore: new Date('1950-01-01Z'), notAfter: new Date('2049-12-31T23:59:59Z') },
  }),
  /** Its name is in the second of the permitted trees. */
  'name-permitted': unlike({ by: 'either' }),
  'host-permitted': unlike({
    by: 'hosts',
    otherNames: [
      { type: 'dns', value: 'tpm.EXAMPLE.com' },
      { type: 'email', value: 'ek@example.com' },
      { type: 'ip', value: '192.0.2.127' },
    ],
  }),
  'host-not-excluded': unlike({
    by: 'excluding-hosts',
    otherNames: [
      { type: 'dns', value: 'topsecret.example.com' },
      { type: 'email', value: 'topsecret@example.com' },
      { type: 'url', value: 'https://secret.example.com@example.com/' },
      { type: 'ip', value: '192.0.2.127' },
    ],
  }),
  /** The store also has an expired certificate of its issuer. */
  'issuer-renewed': unlike({ by: 'renewed' }),
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
