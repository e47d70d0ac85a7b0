import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'
import { type Credential, SERVER_AUTH } from './authority.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY = 86_400_000
const DAYS = 365

interface SelfSignedRequest {
  readonly commonName: string
  /** Host names and addresses that it is good for. */
  readonly hosts: readonly string[]
  readonly now: number
}

/**
 * A self-signed server certificate: a trusted party gave it to the clients. It says
 * nothing of its being an authority, and is for servers alone (interface document, "Certificate requirements").
 */
export async function selfSigned({
  commonName,
  hosts,
  now,
}: SelfSignedRequest): Promise<Credential> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const names = [...new Set(hosts)].map(
    (value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }) as const,
  )
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: new x509.Name([{ CN: [{ utf8String: commonName }] }]),
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + DAYS * DAY),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH]),
      new x509.SubjectAlternativeNameExtension(names),
    ],
  })
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(der, 'PRIVATE KEY'),
  }
}
