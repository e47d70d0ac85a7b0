import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { ExtendedKeyUsageExtension, PemConverter, X509CertificateGenerator } from '@peculiar/x509'
import type { Credentials } from '../../../conformance/client/identity.ts'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const SUBJECT = 'CN=client'
/** The only defect of the certificate is its issuer, so its validity period is current. */
const VALID = {
  notBefore: new Date('2020-01-01T00:00:00Z'),
  notAfter: new Date('2049-12-31T00:00:00Z'),
}

type ClientCertificate = Required<Credentials>['certificate']

let made: Promise<ClientCertificate> | undefined

/** Returns a self-signed client certificate with the administrator's name from the document (line 364). */
export function selfSignedCertificate(): Promise<ClientCertificate> {
  made ??= makeCertificate()
  return made
}

async function makeCertificate(): Promise<ClientCertificate> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: SUBJECT,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    serialNumber: '01',
    ...VALID,
    extensions: [new ExtendedKeyUsageExtension([CLIENT_AUTH])],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: certificate.toString('pem'),
    key: PemConverter.encode(key, 'PRIVATE KEY'),
    subject: `${SUBJECT}, self-signed`,
  }
}
