import 'reflect-metadata'
import { createPublicKey, hash, type KeyObject, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { toHex } from '../tpm/write.ts'
import { signedAnew } from './sign-anew.ts'
import {
  EC_P256,
  ECDSA_SHA256,
  makeSubordinates,
  type Signer,
  type SubordinateName,
} from './subordinates.ts'

/** A maker of TPMs: a certificate authority. */
export interface Manufacturer {
  /**
   * The self-signed CA certificate, and after it those of the {@link Subordinates} below it, to be given to whoever is
   * to trust these TPMs.
   */
  readonly certificatePem: string
  readonly certificate: Uint8Array
  /** Issues an EK certificate (DER) for a SubjectPublicKeyInfo (DER). */
  certifyEk(spki: Uint8Array, unusual?: UnusualCertificate): Promise<Uint8Array>
  /** The certificate (DER) with the maker's signature in place of the one it has; throws {@link CertificateFault}. */
  signAnew(certificate: Uint8Array): Promise<Uint8Array>
  /** Issues a certificate (DER) for the identity key of a device. */
  certifyDevice(spki: Uint8Array, name: string): Promise<Uint8Array>
}

/** How an EK certificate is unlike others of its maker. */
export interface UnusualCertificate {
  /** In place of now: it is valid from a day before to ten years after. */
  readonly now?: Date
  /** It does not say which of the maker's keys signed it. */
  readonly withoutKeyIdentifier?: true
  /** A certificate of the maker signs in its place. */
  readonly by?: SubordinateName
  /** It says that it is one of an authority. */
  readonly ca?: true
  /** Extended key usage; none for an empty list. */
  readonly usages?: readonly string[]
  /** Bits of `KeyUsageFlags`. */
  readonly keyUsages?: number
  /** OID of a critical extension that nobody knows. */
  readonly critical?: string
  /** Names of the TPM, as attributes of a distinguished name. */
  readonly names?: string
  /** The signature is over SHA-1. */
  readonly sha1?: true
}

export interface ManufacturerOptions {
  /** Common name of the CA. */
  readonly name?: string
  /** Private P-256 key of the CA; default a fresh one that lives in memory only. */
  readonly key?: KeyObject
  /** When the certificates are made: they are valid from a day before to ten years after. */
  readonly now: Date
}

/** tcg-kp-EKCertificate: what an EK certificate is for (TCG EK Credential Profile, 3.2.16). */
const EK_CERTIFICATE_USAGE = '2.23.133.8.1'
/** tcg-at-tpmManufacturer, -tpmModel and -tpmVersion; swtpm is IBM's, whose vendor id this is. */
const TPM_ATTRIBUTES = '2.23.133.2.1=id:00001014, 2.23.133.2.2=swtpm, 2.23.133.2.3=id:20191023'
const DAY_MS = 86_400_000

function validity(now: Date): { notBefore: Date; notAfter: Date } {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS)
  return { notBefore: at(-1), notAfter: at(3650) }
}

/** A positive serial number that follows from the key, so that making certificates needs no randomness. */
function serialNumberOf(spki: Uint8Array): string {
  return `01${toHex(hash('sha256', spki, 'buffer')).slice(0, 30)}`
}

function ekExtensions(unusual: UnusualCertificate): Extension[] {
  const { usages = [EK_CERTIFICATE_USAGE], critical, names = TPM_ATTRIBUTES } = unusual
  const { keyUsages = KeyUsageFlags.keyEncipherment } = unusual
  return [
    new SubjectAlternativeNameExtension([{ type: 'dn', value: names }], true),
    new BasicConstraintsExtension(unusual.ca === true, undefined, true),
    new KeyUsagesExtension(keyUsages, true),
    ...(usages.length === 0 ? [] : [new ExtendedKeyUsageExtension([...usages])]),
    ...(critical === undefined ? [] : [new Extension(critical, true, Uint8Array.of(5, 0))]),
  ]
}

/** What of a certificate is not the same for everything that its maker signs. */
interface OwnPart {
  readonly subject: string
  readonly extensions: readonly Extension[]
  readonly notBefore?: Date
  readonly notAfter?: Date
  readonly withoutKeyIdentifier?: true | undefined
  readonly sha1?: true | undefined
}

/** The pair of a private key, in the hands of webcrypto. */
async function pairOf(key: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto
  const inner = key.export({ type: 'pkcs8', format: 'der' })
  const outer = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    privateKey: await subtle.importKey('pkcs8', inner, EC_P256, false, ['sign']),
    publicKey: await subtle.importKey('spki', outer, EC_P256, true, ['verify']),
  }
}

/** Makes a TPM manufacturer. Who vouched for a TPM with a key vouches for it again with the same one. */
export async function createManufacturer(options: ManufacturerOptions): Promise<Manufacturer> {
  const keys =
    options.key === undefined
      ? await webcrypto.subtle.generateKey(EC_P256, false, ['sign', 'verify'])
      : await pairOf(options.key)
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
  const maker: Signer = { name: issuer, keys }
  const subordinates = await makeSubordinates(maker, dates)
  const sign = async (spki: Uint8Array, by: Signer, own: OwnPart): Promise<Uint8Array> => {
    const { withoutKeyIdentifier, sha1, extensions, ...rest } = own
    const identifier = await AuthorityKeyIdentifierExtension.create(by.keys.publicKey)
    const certificate = await X509CertificateGenerator.create({
      ...{ issuer: by.name, serialNumber: serialNumberOf(spki), ...dates, ...rest },
      extensions: [...extensions, ...(withoutKeyIdentifier ? [] : [identifier])],
      publicKey: new PublicKey(Uint8Array.from(spki)),
      signingKey: by.keys.privateKey,
      signingAlgorithm: sha1 ? { ...ECDSA_SHA256, hash: 'SHA-1' } : ECDSA_SHA256,
    })
    return new Uint8Array(certificate.rawData)
  }
  return {
    certificatePem: [ca, ...Object.values(subordinates).map(({ certificate }) => certificate)]
      .map((certificate) => `${certificate.toString('pem')}\n`)
      .join(''),
    certificate: new Uint8Array(ca.rawData),
    certifyEk(spki, unusual = {}) {
      const { now = options.now, by, withoutKeyIdentifier, sha1 } = unusual
      return sign(spki, by === undefined ? maker : subordinates[by], {
        ...{ subject: '', ...validity(now), extensions: ekExtensions(unusual) },
        ...{ withoutKeyIdentifier, sha1 },
      })
    },
    signAnew: (certificate) => signedAnew(certificate, keys.privateKey),
    certifyDevice: (spki, name) =>
      sign(spki, maker, {
        subject: `CN=${name}`,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        ],
      }),
  }
}
