import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto)

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const KEYS = {
  'P-256': ALGORITHM,
  'RSA-2048': {
    ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    ...{ modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
  },
} as const
const DAY = 86_400_000
const CA_DAYS = 3650
const LEAF_DAYS = 365

export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** A certificate and its private key, both PEM. */
export interface Credential {
  readonly certificate: string
  readonly key: string
}

export interface Authority extends Credential {
  /** Issues a leaf with at most one extended key usage and a random serial number. */
  issue(request: LeafRequest): Promise<Credential>
}

export interface LeafRequest {
  readonly commonName: string
  /** Its extended key usage; undefined for a key that signs and is not used for TLS. */
  readonly usage: typeof SERVER_AUTH | typeof CLIENT_AUTH | undefined
  /** Default: P-256. */
  readonly keys?: keyof typeof KEYS
  /** DNS names and IP addresses the certificate is good for. */
  readonly hosts?: readonly x509.JsonGeneralName[]
  /** Validity from now; default: a year. */
  readonly days?: number
}

/**
 * A development certificate authority (interface document, "Authentication": the server components
 * CA): it issues the server certificates and the client certificates of administrators.
 */
export async function createAuthority(commonName: string, now: number): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: nameOf(commonName),
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + CA_DAYS * DAY),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    certificate: certificate.toString('pem'),
    key: await privatePem(keys.privateKey),
    issue: (request) => issueLeaf({ certificate, key: keys.privateKey, now }, request),
  }
}

/** An authority that was made before, from its PEM files; only a P-256 key, as `createAuthority` makes it, will do. */
export async function loadAuthority(credential: Credential, now: number): Promise<Authority> {
  const [bytes = new ArrayBuffer(0)] = x509.PemConverter.decode(credential.key)
  const key = await webcrypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign'])
  const certificate = new x509.X509Certificate(credential.certificate)
  return { ...credential, issue: (request) => issueLeaf({ certificate, key, now }, request) }
}

interface Issuer {
  readonly certificate: x509.X509Certificate
  readonly key: webcrypto.CryptoKey
  readonly now: number
}

async function issueLeaf(issuer: Issuer, request: LeafRequest): Promise<Credential> {
  const { commonName, usage, hosts, days = LEAF_DAYS } = request
  const algorithm = KEYS[request.keys ?? 'P-256']
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: nameOf(commonName),
    issuer: issuer.certificate.subjectName,
    notBefore: new Date(issuer.now - DAY),
    notAfter: endOf(issuer, days),
    publicKey: keys.publicKey,
    signingKey: issuer.key,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      ...(usage === undefined ? [] : [new x509.ExtendedKeyUsageExtension([usage])]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate),
      ...(hosts === undefined ? [] : [new x509.SubjectAlternativeNameExtension([...hosts])]),
    ],
  })
  return { certificate: certificate.toString('pem'), key: await privatePem(keys.privateKey) }
}

/** Not as text, of which commas, quotation marks and a leading # would make something else. */
function nameOf(commonName: string): x509.Name {
  return new x509.Name([{ CN: [{ utf8String: commonName }] }])
}

/** No certificate is valid for longer than its issuer. */
function endOf({ certificate, now }: Issuer, days: number): Date {
  return new Date(Math.min(now + days * DAY, certificate.notAfter.getTime()))
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}
