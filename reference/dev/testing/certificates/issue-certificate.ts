import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { der, sequence } from '../../../evidence/testing/write-certificate.ts'
import { type PathCertificate, readPathCertificate } from '../../../pki/path-certificate.ts'
import { NOON } from '../settable-clock.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY = 86_400_000

/** A certificate with the key that it is for. */
export interface Issued extends PathCertificate {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair
  readonly der: Uint8Array
}

export interface IssueOptions {
  readonly name: string
  /** Default: self-signed. */
  readonly by?: Pick<Issued, 'name' | 'keys'>
  readonly ca?: boolean
  readonly pathLength?: number
  readonly usages?: readonly string[]
  readonly keyUsages?: number
  /** OID of an unknown extension. */
  readonly critical?: string
  /** Trees of names that it alone may give, by a relative name each: `CN=ek`. */
  readonly permitted?: string
  /** Days from now. */
  readonly from?: number
  readonly to?: number
  /** SubjectPublicKeyInfo of a key whose private half is elsewhere. */
  readonly spki?: Uint8Array
}

/** Issues a certificate with a fresh key on P-256; by default an authority, valid a day before and after. */
export async function issue({ name, by, ca = true, ...options }: IssueOptions): Promise<Issued> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const { from = -1, to = 1, usages, keyUsages, critical, permitted, spki } = options
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${by?.name ?? name}`,
    notBefore: new Date(NOON + from * DAY),
    notAfter: new Date(NOON + to * DAY),
    publicKey: spki === undefined ? keys.publicKey : new x509.PublicKey(Uint8Array.from(spki)),
    signingKey: (by?.keys ?? keys).privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(ca, options.pathLength, true),
      ...(usages === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...usages])]),
      ...(keyUsages === undefined ? [] : [new x509.KeyUsagesExtension(keyUsages, true)]),
      ...(permitted === undefined ? [] : [constraintsOn(permitted)]),
      ...(critical === undefined ? [] : [new x509.Extension(critical, true, Uint8Array.of(5, 0))]),
    ],
  })
  const der = new Uint8Array(certificate.rawData)
  return { ...readPathCertificate(der), name, keys, der }
}

/** NameConstraints (RFC 5280, 4.2.1.10) with one permitted directory name. */
function constraintsOn(name: string): x509.Extension {
  const tree = sequence(der(0xa4, new Uint8Array(new x509.Name(name).toArrayBuffer())))
  return new x509.Extension('2.5.29.30', true, sequence(der(0xa0, tree)))
}
