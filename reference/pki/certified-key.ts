import type { KeyObject, X509Certificate } from 'node:crypto'
import { parseCertificate } from '../evidence/ek-certificate/parse-certificate.ts'
import { subjectPublicKey } from '../evidence/ek-certificate/subject-key.ts'

/**
 * The key that a certificate is for; some vendors of TPMs label it RSAES-OAEP, under which OpenSSL does not load it.
 * Throws what OpenSSL throws of a key that it does not load under any label.
 */
export function certifiedKey(certificate: X509Certificate): KeyObject {
  try {
    return certificate.publicKey
  } catch (cause) {
    const key = relabelled(certificate)
    if (key !== undefined) return key
    throw cause
  }
}

function relabelled({ raw }: X509Certificate): KeyObject | undefined {
  try {
    return subjectPublicKey(parseCertificate(raw).key)
  } catch {
    return undefined
  }
}
