import type { Machine } from '../../simulator/machine.ts'
import { createManufacturer, type Manufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { parseTpm2bPublic, spkiOf } from '../../simulator/tpm/public.ts'
import { flipBit } from './bytes.ts'
import type { Dialect } from './dialect.ts'
import { encodeCertificate } from './registration.ts'

const DAYS = 86_400_000
/** A certificate is good for 3650 days. */
const LONG_AGO = 3700

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
  /** One bit of the signature is another. */
  altered: async ({ certificate }) => flipBit(certificate, -1),
} as const satisfies Readonly<Record<string, (case_: Case) => Promise<Uint8Array>>>

export type CertificateDefect = keyof typeof CERTIFICATE_DEFECTS

interface Case {
  readonly spki: Uint8Array
  readonly certificate: Uint8Array
  readonly manufacturer: Manufacturer
  readonly now: Date
}

/** `ekcert` of a registration: a certificate for the EK of this machine with that defect. */
export async function defectiveEkCertificate(
  { ek }: Pick<Machine, 'ek'>,
  defect: CertificateDefect,
  { manufacturer, dialect }: { readonly manufacturer: Manufacturer; readonly dialect: Dialect },
): Promise<string> {
  const spki = spkiOf(parseTpm2bPublic(ek.public))
  const parts = { spki, certificate: ek.certificate, manufacturer, now: new Date() }
  return encodeCertificate(await CERTIFICATE_DEFECTS[defect](parts), dialect)
}
