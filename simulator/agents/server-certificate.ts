import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** A self-signed server certificate and its private key, both PEM. */
export interface ServerCertificate {
  readonly certificate: string
  readonly key: string
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY = 86_400_000
const DAYS = 365

interface CertificateOptions {
  /** The certificate whose key signs this one; without it the certificate is self-signed. */
  readonly issuer?: ServerCertificate
}

/**
 * Without key identifiers, a certificate with its issuer's name counts as self-signed (RFC 5280, 4.2.1.1), and its
 * signature is checked with its own key.
 */
async function keyIdentifiers(publicKey: webcrypto.CryptoKey, { certificate }: ServerCertificate) {
  return [
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
    await x509.AuthorityKeyIdentifierExtension.create(new x509.X509Certificate(certificate)),
  ]
}

function signingKey({ key }: ServerCertificate): Promise<webcrypto.CryptoKey> {
  const pkcs8 = x509.PemConverter.decodeFirst(key)
  return webcrypto.subtle.importKey('pkcs8', pkcs8, EC, false, ['sign'])
}

/**
 * Creates the certificate that a pull agent generates for itself: P-256, its id as the common name, valid for
 * loopback.
 */
export async function makeServerCertificate(
  agentId: string,
  now: number,
  { issuer }: CertificateOptions = {},
): Promise<ServerCertificate> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const name = new x509.Name([{ CN: [{ utf8String: agentId }] }]).toString()
  const certificate = await x509.X509CertificateGenerator.create({
    ...{ subject: name, issuer: name, publicKey: keys.publicKey },
    signingKey: issuer ? await signingKey(issuer) : keys.privateKey,
    signingAlgorithm: EC,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + DAYS * DAY),
    extensions: [
      ...(issuer ? await keyIdentifiers(keys.publicKey, issuer) : []),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '127.0.0.2' },
      ]),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}
