import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Credential } from '../../../pki/authority.ts'

const ALGORITHM = {
  ...{ name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2048 },
  publicExponent: Uint8Array.of(1, 0, 1),
}

/** A certificate of an RSA key that signs itself. */
export async function rsaCertificate(name: string): Promise<Credential> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: `CN=${name}`, keys },
    signingAlgorithm: { ...ALGORITHM, saltLength: 32 } as never,
  })
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(der, 'PRIVATE KEY'),
  }
}
