import 'reflect-metadata'
import { createPublicKey, hash, type KeyObject, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { toHex } from '../tpm/write.ts'
import { bits, integer, sequence } from '../x509/der.ts'
import { signedPartsOf } from '../x509/read-certificate.ts'
import {
  EC_P256,
  ECDSA_SHA256,
  freshKeys,
  makeSubordinates,
  overSha1,
  type Signer,
  type SubordinateName,
} from './subordinates.ts'

/** Bytes of each of the two numbers of a signature on P-256. */
const SCALAR_BYTES = 32

/** Returns the certificate with another signature, ECDSA over SHA-256; its algorithm fields are not changed. */
async function signedAnew(certificate: Uint8Array, key: webcrypto.CryptoKey): Promise<Uint8Array> {
  const { body, algorithm } = signedPartsOf(certificate)
  const raw = await webcrypto.subtle.sign(ECDSA_SHA256, key, Uint8Array.from(body))
  const number = (from: number) =>
    integer(BigInt(`0x${Buffer.from(raw, from, SCALAR_BYTES).toString('hex')}`))
  return sequence(body, algorithm, bits(sequence(number(0), number(SCALAR_BYTES))))
}

/** A TPM manufacturer with its certificate authority. */
export interface Manufacturer {
  /**
   * The self-signed CA certificate, followed by those of its {@link Subordinates}, for components that trust these
   * TPMs.
   */
  readonly certificatePem: string
  readonly certificate: Uint8Array
  /** Issues an EK certificate (DER) for a SubjectPublicKeyInfo (DER). */
  certifyEk(spki: Uint8Array, unusual?: UnusualCertificate): Promise<Uint8Array>
  /**
   * Returns the certificate (DER) with the manufacturer's signature in place of its own; throws {@link
   * CertificateFault}.
   */
  signAnew(certificate: Uint8Array): Promise<Uint8Array>
  /** Issues a certificate (DER) for the identity key of a device, by default valid now. */
  certifyDevice(spki: Uint8Array, name: string, now?: Date): Promise<Uint8Array>
}

/** Deviations of an EK certificate from the manufacturer's usual ones. */
export interface UnusualCertificate {
  /** Replaces the current time: validity is from a day before to ten years after. */
  readonly now?: Date
  /** Omits the identifier of the signing key. */
  readonly withoutKeyIdentifier?: true
  /** Signed by a subordinate of the manufacturer. */
  readonly by?: SubordinateName
  /** Signed with a key that is not its issuer's. */
  readonly forged?: true
  /** Replaces the dates. */
  readonly dates?: { readonly notBefore: Date; readonly notAfter: Date }
  /** Sets the CA flag. */
  readonly ca?: true
  /** pathLenConstraint of a CA. */
  readonly pathLength?: number
  /** Extended key usage; none for an empty list. */
  readonly usages?: readonly string[]
  /** Bits of `KeyUsageFlags`; no extension for 0. */
  readonly keyUsages?: number
  /** Has no basicConstraints. */
  readonly withoutConstraints?: true
  /** OID of an unknown critical extension. */
  readonly critical?: string
  /** OID of an unknown extension that is not critical. */
  readonly further?: string
  /** Serial number in hexadecimal. */
  readonly serialNumber?: string
  /** Names of the TPM, as attributes of a distinguished name. */
  readonly names?: string
  /** Alternative names in addition to the names of the TPM. */
  readonly otherNames?: JsonGeneralNames
  /** Subject; EK certificates usually have none. */
  readonly subject?: string
  /** The subject is the issuer. */
  readonly selfIssued?: true
  /** Has the extended key usage twice. */
  readonly usageTwice?: true
  /** The signature is over SHA-1. */
  readonly sha1?: true
}

interface ManufacturerOptions {
  /** Common name of the CA. */
  readonly name?: string
  /** Without the certificates below its own, which are costly and only for a store. */
  readonly alone?: true
  /** Private P-256 key of the CA; by default a fresh one that is kept in memory only. */
  readonly key?: KeyObject
  /** Creation time of the certificates: they are valid from a day before to ten years after. */
  readonly now: Date
}

/** tcg-kp-EKCertificate: the purpose of an EK certificate (TCG EK Credential Profile, 3.2.16). */
const EK_CERTIFICATE_USAGE = '2.23.133.8.1'
/** tcg-at-tpmManufacturer, -tpmModel and -tpmVersion; swtpm is IBM's, whose vendor id this is. */
const TPM_ATTRIBUTES = '2.23.133.2.1=id:00001014, 2.23.133.2.2=swtpm, 2.23.133.2.3=id:20191023'
const DAY_MS = 86_400_000

function validity(now: Date): { notBefore: Date; notAfter: Date } {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS)
  return { notBefore: at(-1), notAfter: at(3650) }
}

/** Returns a positive serial number derived from the key, so that certificates need no randomness. */
function serialNumberOf(spki: Uint8Array): string {
  return `01${toHex(hash('sha256', spki, 'buffer')).slice(0, 30)}`
}

function ekExtensions(unusual: UnusualCertificate): Extension[] {
  const { usages = [EK_CERTIFICATE_USAGE], critical, names = TPM_ATTRIBUTES } = unusual
  const { further, keyUsages = KeyUsageFlags.keyEncipherment, otherNames = [] } = unusual
  const use = usages.length === 0 ? [] : [new ExtendedKeyUsageExtension([...usages])]
  return [
    new SubjectAlternativeNameExtension([{ type: 'dn', value: names }, ...otherNames], true),
    ...(unusual.withoutConstraints
      ? []
      : [new BasicConstraintsExtension(unusual.ca === true, unusual.pathLength, true)]),
    ...(keyUsages === 0 ? [] : [new KeyUsagesExtension(keyUsages, true)]),
    ...use,
    ...(unusual.usageTwice ? use : []),
    ...(critical === undefined ? [] : [new Extension(critical, true, Uint8Array.of(5, 0))]),
    ...(further === undefined ? [] : [new Extension(further, false, Uint8Array.of(5, 0))]),
  ]
}

/** The part of a certificate that differs between those of one manufacturer. */
interface OwnPart {
  readonly subject: string
  readonly extensions: readonly Extension[]
  readonly notBefore?: Date
  readonly notAfter?: Date
  readonly withoutKeyIdentifier?: true | undefined
  readonly sha1?: true | undefined
  readonly forged?: true | undefined
  readonly serialNumber?: string
}

/** Returns a private key with its public key in webcrypto form. */
async function pairOf(key: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto
  const inner = key.export({ type: 'pkcs8', format: 'der' })
  const outer = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    privateKey: await subtle.importKey('pkcs8', inner, EC_P256, false, ['sign']),
    publicKey: await subtle.importKey('spki', outer, EC_P256, true, ['verify']),
  }
}

/** Creates a TPM manufacturer. A manufacturer created again with the same key has the same identity. */
export async function createManufacturer(options: ManufacturerOptions): Promise<Manufacturer> {
  const keys = options.key === undefined ? await freshKeys() : await pairOf(options.key)
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
  const subordinates: Partial<Awaited<ReturnType<typeof makeSubordinates>>> = options.alone
    ? {}
    : await makeSubordinates(maker, { ...dates, now: options.now })
  const sign = async (spki: Uint8Array, by: Signer, own: OwnPart): Promise<Uint8Array> => {
    const { withoutKeyIdentifier, sha1, forged, extensions, ...rest } = own
    const identifier = await AuthorityKeyIdentifierExtension.create(by.keys.publicKey)
    const key = (forged ? await freshKeys() : by.keys).privateKey
    const certificate = await X509CertificateGenerator.create({
      ...{ issuer: by.name, serialNumber: serialNumberOf(spki), ...dates, ...rest },
      extensions: [...extensions, ...(withoutKeyIdentifier ? [] : [identifier])],
      publicKey: new PublicKey(Uint8Array.from(spki)),
      signingKey: sha1 ? await overSha1(key) : key,
      signingAlgorithm: { name: key.algorithm.name, hash: sha1 ? 'SHA-1' : 'SHA-256' },
    })
    return new Uint8Array(certificate.rawData)
  }
  return {
    certificatePem: [ca, ...Object.values(subordinates).map(({ certificate }) => certificate)]
      .map((certificate) => `${certificate.toString('pem')}\n`)
      .join(''),
    certificate: new Uint8Array(ca.rawData),
    certifyEk(spki, unusual = {}) {
      const { now = options.now, by, withoutKeyIdentifier, sha1, forged, selfIssued } = unusual
      const { serialNumber } = unusual
      const signer = (by && subordinates[by]) ?? maker
      const { subject = selfIssued ? signer.name : '' } = unusual
      return sign(spki, signer, {
        ...{ subject, ...validity(now), ...unusual.dates, extensions: ekExtensions(unusual) },
        ...{ withoutKeyIdentifier, sha1, forged },
        ...(serialNumber !== undefined && { serialNumber }),
      })
    },
    signAnew: (certificate) => signedAnew(certificate, keys.privateKey),
    certifyDevice: (spki, name, now = options.now) =>
      sign(spki, maker, {
        ...{ subject: `CN=${name}`, ...validity(now) },
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        ],
      }),
  }
}
