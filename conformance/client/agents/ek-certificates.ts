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
/** A certificate is good for 3650 days. */
const LONG_AGO = 3700

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const UNKNOWN = '1.3.6.1.4.1.99999.1'
/** `digitalSignature`, and `keyEncipherment` with `keyCertSign`, as bits of KeyUsageFlags. */
const SIGNS = 1
const SIGNS_CERTIFICATES = 4 + 32
const ANOTHER_TPM = '2.23.133.2.1=id:00001014, 2.23.133.2.1=id:53544D20, 2.23.133.2.2=swtpm'

function anotherKey(): Uint8Array {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
}

/** A certificate for the machine's EK by its maker, unlike others in one thing. */
function unlike(change: UnusualCertificate): (case_: Case) => Promise<Uint8Array> {
  return ({ spki, manufacturer }) => manufacturer.certifyEk(spki, change)
}

/** What is wrong with an EK certificate whose key is the machine's. */
export const CERTIFICATE_DEFECTS = {
  /** A maker issued it that the deployment was not told of. */
  'another-maker': async ({ spki, now }) =>
    (await createManufacturer({ name: 'Another TPM Manufacturer', now })).certifyEk(spki),
  /** The maker has the name of a known one, and another key. */
  impostor: async ({ spki, now }) =>
    (await createManufacturer({ now })).certifyEk(spki, { withoutKeyIdentifier: true }),
  /** It is a known maker's, and of an earlier decade. */
  expired: ({ spki, now, manufacturer }) =>
    manufacturer.certifyEk(spki, { now: new Date(now.getTime() - LONG_AGO * DAYS) }),
  /** It is a known maker's, and of a later decade. */
  'not-yet-valid': ({ spki, now, manufacturer }) =>
    manufacturer.certifyEk(spki, { now: new Date(now.getTime() + LONG_AGO * DAYS) }),
  /** One bit of the signature is another. */
  altered: async ({ certificate }) => flipBit(certificate, -1),
  /** It is for the key of another TPM. */
  'other-key': ({ manufacturer }) => manufacturer.certifyEk(anotherKey()),
  /** Its last bytes are missing. */
  cut: async ({ certificate }) => certificate.subarray(0, -20),
  /** It says that it is one of an authority. */
  authority: unlike({ ca: true }),
  /** Its key may sign certificates. */
  'signs-certificates': unlike({ keyUsages: SIGNS_CERTIFICATES }),
  /** Its key may sign, and not decrypt. */
  'signs-only': unlike({ keyUsages: SIGNS }),
  /** It is for TLS clients. */
  'other-use': unlike({ usages: [CLIENT_AUTH] }),
  /** It does not say what it is for. */
  'no-use': unlike({ usages: [] }),
  /** It has a critical extension that nobody knows. */
  'unknown-critical': unlike({ critical: UNKNOWN }),
  /** Its signature is over SHA-1. */
  sha1: unlike({ sha1: true }),
  /** It names two makers. */
  'two-makers': unlike({ names: ANOTHER_TPM }),
  /** An authority signed it below one that allows none below itself. */
  'path-too-long': unlike({ by: 'below-last' }),
  /** An authority signed it that may name the TPMs of others only. */
  'name-not-permitted': unlike({ by: 'named' }),
  /** A certificate signed it that is not one of an authority. */
  'no-authority': unlike({ by: 'ordinary' }),
  /** An authority below the maker's signed it: there is nothing wrong with it. */
  'by-subordinate': unlike({ by: 'last' }),
} as const satisfies Readonly<Record<string, (case_: Case) => Promise<Uint8Array>>>

export type CertificateDefect = keyof typeof CERTIFICATE_DEFECTS

interface Case {
  readonly spki: Uint8Array
  readonly certificate: Uint8Array
  readonly manufacturer: Manufacturer
  readonly now: Date
}

/** A certificate for the EK of this machine with that defect, DER. */
export function certificateWithDefect(
  { ek }: Pick<Machine, 'ek'>,
  defect: CertificateDefect,
  manufacturer: Manufacturer,
): Promise<Uint8Array> {
  const spki = spkiOf(parseTpm2bPublic(ek.public))
  const parts = { spki, certificate: ek.certificate, manufacturer, now: new Date() }
  return CERTIFICATE_DEFECTS[defect](parts)
}

/** `ekcert` of a registration: a certificate for the EK of this machine with that defect. */
export async function defectiveEkCertificate(
  machine: Pick<Machine, 'ek'>,
  defect: CertificateDefect,
  { manufacturer, dialect }: { readonly manufacturer: Manufacturer; readonly dialect: Dialect },
): Promise<string> {
  return encodeCertificate(await certificateWithDefect(machine, defect, manufacturer), dialect)
}
