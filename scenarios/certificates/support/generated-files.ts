import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { connect } from 'node:tls'
import { outside } from '../../../conformance/recording/outside.ts'
import type { Context } from '../../../conformance/scenario.ts'

const WITHIN_MS = 10_000
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** The certificates of a deployment: the CA, the administrator's, and the one that its verifier shows. */
export interface Certificates {
  readonly ca: X509Certificate
  readonly admin: X509Certificate
  readonly server: X509Certificate
}

/** Reads the files that the target file names, and the certificate of the verifier from a TLS handshake. */
export async function deployedCertificates({
  tlsFiles: { ca, admin },
  verifier,
}: Context): Promise<Certificates> {
  const { hostname, port } = new URL(verifier.url)
  return outside(async () => {
    const pem = readFileSync(ca)
    return {
      ca: new X509Certificate(pem),
      admin: new X509Certificate(readFileSync(admin.certificate)),
      server: await shownBy({ host: hostname, port: Number(port), ca: pem }),
    }
  })
}

function shownBy(options: {
  readonly host: string
  readonly port: number
  readonly ca: Buffer
}): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect(options, () => {
      const shown = socket.getPeerX509Certificate()
      socket.destroy()
      if (shown === undefined) reject(new Error('the verifier shows no certificate'))
      else resolve(shown)
    })
    socket.setTimeout(WITHIN_MS, () => socket.destroy(new Error('the verifier is silent')))
    socket.on('error', reject)
  })
}

/** Whether this authority has signed a certificate, which names it as its issuer. */
export function isIssuedBy(certificate: X509Certificate, ca: X509Certificate): boolean {
  return certificate.checkIssued(ca) && certificate.verify(ca.publicKey)
}

/** Whether a certificate is for clients, and the key in the file is its key. */
export function isClientWithKey(certificate: X509Certificate, keyFile: string): boolean {
  const isOfKey = () => certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))
  return outside(isOfKey) && certificate.keyUsage.includes(CLIENT_AUTH)
}

/** The last common name of a subject; undefined without one. */
export function commonNameOf({ subject }: X509Certificate): string | undefined {
  return subject
    .split('\n')
    .flatMap((part) => (part.startsWith('CN=') ? [part.slice(3)] : []))
    .at(-1)
}

/** The last folder of a path, and the name of the file. */
export function endOfPath(path: string): string {
  return path.split(sep).slice(-2).join('/')
}
