import 'reflect-metadata'
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { fromBase64 } from '../bytes/base64.ts'
import { fromHex } from '../bytes/hex.ts'
import { ApiError } from '../errors.ts'

/** An EK certificate that was taken in. */
export interface EkCertificate {
  /** DER, without what stood around it */
  readonly der: Uint8Array
  readonly key: KeyObject
}

/**
 * Reads `ekcert`: DER in base64, or PEM. Zeros after the DER are the rest of an NV index that is larger
 * than its certificate, and are dropped; anything else around it is refused.
 */
export function parseEkCertificate(text: string): EkCertificate {
  const certificate = parse(text)
  return { der: certificate.raw, key: keyOf(certificate) }
}

function parse(text: string): X509Certificate {
  try {
    if (text.includes('-----BEGIN')) return new X509Certificate(text)
    return parseDer(fromBase64(text, 'ekcert'))
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw refuse('is not a certificate in base64 DER or PEM', cause)
  }
}

/** Node takes PEM wherever it takes DER, and does not mind what follows. */
function parseDer(bytes: Uint8Array): X509Certificate {
  const certificate = new X509Certificate(bytes)
  const { length } = certificate.raw
  if (!certificate.raw.equals(bytes.subarray(0, length))) {
    throw refuse('is not a certificate in base64 DER, but the base64 of something around one')
  }
  const rest = bytes.subarray(length)
  if (rest.some((byte) => byte !== 0)) throw refuse(`${rest.length} bytes follow the certificate`)
  return certificate
}

const RSAES_OAEP = fromHex('06092a864886f70d010107')
const LAST_ARC_OF_RSA_ENCRYPTION = 1

/** The key; some vendors of TPMs label it RSAES-OAEP, under which OpenSSL does not load it. */
function keyOf(certificate: X509Certificate): KeyObject {
  try {
    return certificate.publicKey
  } catch (cause) {
    const key = relabelled(certificate)
    if (key !== undefined) return key
    throw refuse('holds a public key of an unknown kind', cause)
  }
}

function relabelled(certificate: X509Certificate): KeyObject | undefined {
  try {
    const spki = Buffer.from(new x509.X509Certificate(certificate.raw).publicKey.rawData)
    const at = spki.indexOf(RSAES_OAEP)
    if (at === -1) return undefined
    spki[at + RSAES_OAEP.length - 1] = LAST_ARC_OF_RSA_ENCRYPTION
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

function refuse(detail: string, cause?: unknown): ApiError {
  return new ApiError('malformed_request', `ekcert: ${detail}`, { pointer: '/ekcert', cause })
}
