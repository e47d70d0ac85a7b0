import { type KeyObject, X509Certificate } from 'node:crypto'
import { fromBase64 } from '../bytes/base64.ts'
import { ApiError } from '../errors.ts'
import { certifiedKey } from '../pki/certified-key.ts'
import { refuse } from './refuse.ts'

/** The certificate of a TPM's key that was taken in. */
interface KeyCertificate {
  /** Without what stood around it. */
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

/**
 * Reads `ekcert`, or another member that holds a certificate: DER in base64, or PEM. Zeros after the DER are
 * the rest of an NV index that is larger than its certificate, and are dropped; anything else around it is refused.
 */
export function parseKeyCertificate(text: string, member = 'ekcert'): KeyCertificate {
  const certificate = parse(text, member)
  return { certificate, key: keyOf(certificate, member) }
}

function parse(text: string, member: string): X509Certificate {
  try {
    if (text.includes('-----BEGIN')) return new X509Certificate(text)
    return parseDer(fromBase64(text, member), member)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw refuse(member, 'is not a certificate in base64 DER or PEM', cause)
  }
}

/** Node takes PEM wherever it takes DER, and does not mind what follows. */
function parseDer(bytes: Uint8Array, member: string): X509Certificate {
  const certificate = new X509Certificate(bytes)
  const { length } = certificate.raw
  if (!certificate.raw.equals(bytes.subarray(0, length))) {
    throw refuse(
      member,
      'is not a certificate in base64 DER, but the base64 of something around one',
    )
  }
  const rest = bytes.subarray(length)
  if (rest.some((byte) => byte !== 0))
    throw refuse(member, `${rest.length} bytes follow the certificate`)
  return certificate
}

function keyOf(certificate: X509Certificate, member: string): KeyObject {
  try {
    return certifiedKey(certificate)
  } catch (cause) {
    throw refuse(member, 'holds a public key of an unknown kind', cause)
  }
}
