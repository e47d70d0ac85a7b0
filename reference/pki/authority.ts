import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto)

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY = 86_400_000

export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** A certificate and its private key, both PEM. */
export interface Credential {
  readonly certificate: string
  readonly key: string
}

export interface Authority extends Credential {
  /** Issues a leaf with exactly one extended key usage. */
  issue(request: LeafRequest): Promise<Credential>
}

export interface LeafRequest {
  readonly commonName: string
  readonly usage: typeof SERVER_AUTH | typeof CLIENT_AUTH
  /** DNS names and IP addresses the certificate is good for. */
  readonly hosts?: readonly x509.JsonGeneralName[]
}

/**
 * A development certificate authority (interface document, "Authentication": the server components
 * CA): it issues the server certificates and the administrator's client certificate.
 */
export async function createAuthority(commonName: string, now: number): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + 3650 * DAY),
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
    issue: (request) => issueLeaf(certificate, keys, request, now),
  }
}

async function issueLeaf(
  issuer: x509.X509Certificate,
  issuerKeys: webcrypto.CryptoKeyPair,
  request: LeafRequest,
  now: number,
): Promise<Credential> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${request.commonName}`,
    issuer: issuer.subject,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + 365 * DAY),
    publicKey: keys.publicKey,
    signingKey: issuerKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([request.usage]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...(request.hosts === undefined
        ? []
        : [new x509.SubjectAlternativeNameExtension([...request.hosts])]),
    ],
  })
  return { certificate: certificate.toString('pem'), key: await privatePem(keys.privateKey) }
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}
