import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Credential } from '../pki/authority.ts'
import { selfSigned } from '../pki/self-signed.ts'
import { loadServerCredential } from '../pki/tls-files.ts'
import { writeOwnFile } from './own-files.ts'

interface ServerCertificateRequest {
  /** The agent's own directory. */
  readonly directory: string
  readonly agentId: string
  readonly contactIp: string
  /** Configured files; `default` means those of the agent. */
  readonly certificate: string
  readonly key: string
  readonly now: number
}

const MONTH = 30 * 86_400_000

/**
 * The certificate of the agent's server: the configured files, or a certificate that it signs itself and keeps, until
 * it is about to expire or the agent has another name.
 */
export async function loadServerCertificate(
  request: ServerCertificateRequest,
): Promise<Credential> {
  const { directory, now } = request
  const files = {
    certificate: fileOf(directory, request.certificate, 'server-cert.crt'),
    key: fileOf(directory, request.key, 'server-private.pem'),
  }
  const isOwn = request.certificate === 'default' && request.key === 'default'
  if (isOwn && !isStillGood(files.certificate, request)) {
    const made = await selfSigned({
      commonName: request.agentId,
      hosts: ['localhost', '127.0.0.1', '::1', request.contactIp],
      now,
    })
    writeOwnFile(files.key, made.key)
    writeOwnFile(files.certificate, made.certificate)
  }
  return loadServerCredential(files, now)
}

function fileOf(directory: string, setting: string, name: string): string {
  return setting === 'default' ? join(directory, name) : setting
}

function isStillGood(file: string, { agentId, contactIp, now }: ServerCertificateRequest): boolean {
  if (!existsSync(file)) return false
  const certificate = new X509Certificate(readFileSync(file))
  const isFor =
    isIP(contactIp) === 0 ? certificate.checkHost(contactIp) : certificate.checkIP(contactIp)
  return (
    certificate.subject === `CN=${agentId}` &&
    isFor !== undefined &&
    Date.parse(certificate.validTo) > now + MONTH
  )
}
