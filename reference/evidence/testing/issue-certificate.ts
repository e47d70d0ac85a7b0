import 'reflect-metadata'
import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const BEGIN = Date.UTC(2026, 0, 1)

/** A certificate for a public key, DER; with a subject key identifier if one is given. */
export async function issueCertificate(
  key: KeyObject,
  subjectKeyId?: Uint8Array,
): Promise<Uint8Array> {
  const issuer = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const spki = createPublicKey(key.export({ format: 'pem', type: 'spki' })).export({
    format: 'der',
    type: 'spki',
  })
  const identifier = subjectKeyId && Buffer.from(subjectKeyId).toString('hex')
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=a signer of files',
    issuer: 'CN=issuer',
    notBefore: new Date(BEGIN),
    notAfter: new Date(BEGIN + 86_400_000),
    publicKey: new x509.PublicKey(new Uint8Array(spki)),
    signingKey: issuer.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: identifier ? [new x509.SubjectKeyIdentifierExtension(identifier)] : [],
  })
  return new Uint8Array(certificate.rawData)
}
