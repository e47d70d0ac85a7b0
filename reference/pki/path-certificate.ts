import { type KeyObject, X509Certificate } from 'node:crypto'
import { WireError } from '../bytes/wire-error.ts'
import {
  type Certificate,
  parseEkCertificate,
} from '../evidence/ek-certificate/parse-certificate.ts'
import { rememberKey } from '../evidence/ek-certificate/subject-key.ts'

/** A certificate with the fields that path validation uses. */
export interface PathCertificate {
  /** OpenSSL's reading: issuers and signatures, over the received bytes. */
  readonly certificate: X509Certificate
  /** Its parsed fields. */
  readonly read: Certificate
}

/**
 * Reads one certificate in DER; what NV memory leaves around it is passed over. Throws a `WireError` of our reader, or
 * any error of OpenSSL.
 */
export function readPathCertificate(bytes: Uint8Array): PathCertificate {
  const read = parseEkCertificate(bytes)
  return together(new X509Certificate(read.der), read)
}

/** The same of one that OpenSSL has read already. Throws a `WireError` of our reader. */
export function pathCertificateOf(certificate: X509Certificate): PathCertificate {
  return together(certificate, parseEkCertificate(certificate.raw))
}

function together(certificate: X509Certificate, read: Certificate): PathCertificate {
  // OpenSSL checks its own reading: if it encodes that differently, it did not read the received bytes.
  if (!certificate.raw.equals(read.der))
    throw new WireError('Certificate', 0, 'is read by OpenSSL as another one')
  const key = read.key.isRelabelled ? undefined : loadedWith(certificate)
  if (key !== undefined) rememberKey(read.key, key)
  return { certificate, read }
}

/** Undefined under a label that OpenSSL does not load. */
function loadedWith(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}
