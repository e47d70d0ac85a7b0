import { X509Certificate } from 'node:crypto'

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** The issuer of a certificate, and what it may be used for. */
interface Issued {
  readonly by: 'the agent' | 'an authority'
  /** Absent if the certificate may be used for everything. */
  readonly usages?: readonly string[]
}

/** Undefined if the text is no certificate. */
export function issuedFor(pem: string): Issued | undefined {
  try {
    const certificate = new X509Certificate(pem)
    const isOwn = certificate.verify(certificate.publicKey)
    const usages: readonly string[] | undefined = certificate.keyUsage
    return { by: isOwn ? 'the agent' : 'an authority', ...(usages && { usages }) }
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
