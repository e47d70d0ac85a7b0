import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Authority, Credential } from '../../../pki/authority.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A certificate of the authority that has no extended key usage at all. */
export async function issueWithoutUsage(authority: Authority): Promise<Credential> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const issuer = new x509.X509Certificate(authority.certificate)
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=client',
    issuer: issuer.subject,
    notBefore: issuer.notBefore,
    notAfter: issuer.notAfter,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: ALGORITHM,
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [bytes = new ArrayBuffer(0)] = x509.PemConverter.decode(pem)
  return webcrypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign'])
}
