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

/**
 * Creates the certificate that a pull agent generates for itself: P-256, its id as the common name, valid for
 * loopback.
 */
export async function makeServerCertificate(
  agentId: string,
  now: number,
): Promise<ServerCertificate> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: new x509.Name([{ CN: [{ utf8String: agentId }] }]).toString(),
    keys,
    signingAlgorithm: EC,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + DAYS * DAY),
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}
