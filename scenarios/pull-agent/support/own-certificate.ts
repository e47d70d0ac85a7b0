import { X509Certificate } from 'node:crypto'

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** The issuer of a certificate, and what it may be used for. */
interface Issued {
  /** The agent, if the certificate names its subject as its issuer. */
  readonly by: 'the agent' | 'an authority'
  /** Whether the key of the certificate made its signature. */
  readonly isSelfSigned: boolean
  /** Absent if the certificate may be used for everything. */
  readonly usages?: readonly string[]
}

/** Undefined if the text is no certificate. */
export function issuedFor(pem: string): Issued | undefined {
  try {
    const certificate = new X509Certificate(pem)
    const by = certificate.issuer === certificate.subject ? 'the agent' : 'an authority'
    const isSelfSigned = certificate.verify(certificate.publicKey)
    const usages: readonly string[] | undefined = certificate.keyUsage
    return { by, isSelfSigned, ...(usages && { usages }) }
  } catch {
    return undefined
  }
}

/** Whether a pull agent may have it: it is for servers, and for nothing else if an authority issued it. */
export function fits(issued: Issued | undefined): boolean {
  if (issued === undefined) return false
  const { by, usages = [] } = issued
  if (by === 'the agent') return usages.length === 0 || usages.includes(SERVER_AUTH)
  return usages.length === 1 && usages.includes(SERVER_AUTH)
}
