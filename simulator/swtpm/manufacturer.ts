import 'reflect-metadata'
import { hash, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { toHex } from '../tpm/write.ts'

/** A maker of TPMs: a certificate authority whose key lives only in memory. */
export interface Manufacturer {
  /** The self-signed CA certificate, to be given to whoever is to trust these TPMs. */
  readonly certificatePem: string
  readonly certificate: Uint8Array
  /** Issues an EK certificate (DER) for a SubjectPublicKeyInfo (DER). */
  certifyEk(spki: Uint8Array, unusual?: UnusualCertificate): Promise<Uint8Array>
  /** Issues a certificate (DER) for the identity key of a device. */
  certifyDevice(spki: Uint8Array, name: string): Promise<Uint8Array>
}

/** How an EK certificate is unlike others of its maker. */
export interface UnusualCertificate {
  /** In place of now: it is valid from a day before to ten years after. */
  readonly now?: Date
  /** It does not say which of the maker's keys signed it. */
  readonly withoutKeyIdentifier?: true
}

export interface ManufacturerOptions {
  /** Common name of the CA. */
  readonly name?: string
  /** When the certificates are made: they are valid from a day before to ten years after. */
  readonly now: Date
}

/** tcg-kp-EKCertificate: what an EK certificate is for (TCG EK Credential Profile, 3.2.16). */
const EK_CERTIFICATE_USAGE = '2.23.133.8.1'
/** tcg-at-tpmManufacturer, -tpmModel and -tpmVersion; swtpm is IBM's, whose vendor id this is. */
const TPM_ATTRIBUTES = '2.23.133.2.1=id:00001014, 2.23.133.2.2=swtpm, 2.23.133.2.3=id:20191023'
const EC_P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const ECDSA_SHA256 = { name: 'ECDSA', hash: 'SHA-256' }
const DAY_MS = 86_400_000

function validity(now: Date): { notBefore: Date; notAfter: Date } {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS)
  return { notBefore: at(-1), notAfter: at(3650) }
}

/** A positive serial number that follows from the key, so that making certificates needs no randomness. */
function serialNumberOf(spki: Uint8Array): string {
  return `01${toHex(hash('sha256', spki, 'buffer')).slice(0, 30)}`
}

/** What of a certificate is not the same for everything that its maker signs. */
interface OwnPart {
  readonly subject: string
  readonly extensions: Extension[]
  readonly notBefore?: Date
  readonly notAfter?: Date
}

/** Makes a TPM manufacturer with a fresh P-256 key. */
export async function createManufacturer(options: ManufacturerOptions): Promise<Manufacturer> {
  const keys = await webcrypto.subtle.generateKey(EC_P256, false, ['sign', 'verify'])
  const issuer = `CN=${options.name ?? 'Assay TPM Manufacturer'}`
  const dates = validity(options.now)
  const usages = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...{ name: issuer, keys, signingAlgorithm: ECDSA_SHA256, serialNumber: '01', ...dates },
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(usages, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const identifier = await AuthorityKeyIdentifierExtension.create(keys.publicKey)
  const sign = async (spki: Uint8Array, own: OwnPart): Promise<Uint8Array> => {
    const certificate = await X509CertificateGenerator.create({
      ...{ issuer, serialNumber: serialNumberOf(spki), ...dates, ...own },
      publicKey: new PublicKey(Uint8Array.from(spki)),
      signingKey: keys.privateKey,
      signingAlgorithm: ECDSA_SHA256,
    })
    return new Uint8Array(certificate.rawData)
  }
  return {
    certificatePem: ca.toString('pem'),
    certificate: new Uint8Array(ca.rawData),
    certifyEk: (spki, { now = options.now, withoutKeyIdentifier } = {}) =>
      sign(spki, {
        ...{ subject: '', ...validity(now) },
        extensions: [
          new SubjectAlternativeNameExtension([{ type: 'dn', value: TPM_ATTRIBUTES }], true),
          ...(withoutKeyIdentifier ? [] : [identifier]),
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true),
          new ExtendedKeyUsageExtension([EK_CERTIFICATE_USAGE]),
        ],
      }),
    certifyDevice: (spki, name) =>
      sign(spki, {
        subject: `CN=${name}`,
        extensions: [
          identifier,
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        ],
      }),
  }
}
