import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { NOON } from '../settable-clock.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Another certificate for the key of a certificate: base64 DER to base64 DER. */
export async function issueEkCertificate(likeThis: string): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    issuer: 'CN=another maker',
    notBefore: new Date(NOON),
    notAfter: new Date(NOON + 86_400_000),
    publicKey: new x509.X509Certificate(likeThis).publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: ALGORITHM,
  })
  return certificate.toString('base64')
}
