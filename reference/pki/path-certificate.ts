import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** A certificate with what a path of certificates is judged by. */
export interface PathCertificate {
  /** OpenSSL's reading: names, key and signature, over the bytes that came. */
  readonly certificate: X509Certificate
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly isAuthority: boolean
  /** How many authorities may stand between this one and the end of a path; undefined for any number. */
  readonly pathLength: number | undefined
  /** Extended key usage OIDs; undefined when the extension is absent. */
  readonly usages: readonly string[] | undefined
  /** OIDs of the extensions that whoever does not know them must not pass over. */
  readonly critical: readonly string[]
}

/** Reads one certificate in DER; throws whatever the two readers of certificates throw. */
export function readPathCertificate(der: Uint8Array): PathCertificate {
  const certificate = new X509Certificate(der)
  const read = new x509.X509Certificate(der)
  const constraints = read.getExtension(x509.BasicConstraintsExtension)
  return {
    certificate,
    notBefore: read.notBefore.getTime(),
    notAfter: read.notAfter.getTime(),
    isAuthority: constraints?.ca ?? false,
    pathLength: constraints?.pathLength,
    usages: read.getExtension(x509.ExtendedKeyUsageExtension)?.usages.map(String),
    critical: read.extensions.filter(({ critical }) => critical).map(({ type }) => type),
  }
}
