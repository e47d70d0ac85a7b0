import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** A CA for clients, and one of its clients, all PEM. */
interface ClientAuthority {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** Creates a CA and one of its clients, valid for a day around `now`. */
export async function makeClientAuthority(now = Date.now()): Promise<ClientAuthority> {
  const generate = () => webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const [above, own] = [await generate(), await generate()]
  const dates = { notBefore: new Date(now - 43_200_000), notAfter: new Date(now + 43_200_000) }
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=A CA of clients', keys: above, signingAlgorithm: EC, ...dates },
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const certificate = await x509.X509CertificateGenerator.create({
    ...{ subject: 'CN=client', issuer: ca.subject, publicKey: own.publicKey, ...dates },
    ...{ signingKey: above.privateKey, signingAlgorithm: EC },
    extensions: [new x509.ExtendedKeyUsageExtension([CLIENT_AUTH])],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', own.privateKey)
  return {
    ca: ca.toString('pem'),
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}
