import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Credential } from '../x509/factory.ts'

const DAY = 86_400_000
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
} as const

/** Creates a CA for tests, with a key on a NIST curve or an RSA key. */
export async function selfSignedAuthority(
  name: string,
  key: 'P-256' | 'P-384' | 'P-521' | 'rsa',
  now: number,
): Promise<Credential> {
  const algorithm =
    key === 'rsa' ? RSA : ({ name: 'ECDSA', namedCurve: key, hash: 'SHA-256' } as const)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name, keys, signingAlgorithm: algorithm },
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + 365 * DAY),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const bytes = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(bytes, 'PRIVATE KEY'),
  }
}
