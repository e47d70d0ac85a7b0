import 'reflect-metadata'
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { fromBase64 } from '../bytes/base64.ts'
import { fromHex } from '../bytes/hex.ts'
import { ApiError } from '../errors.ts'
import { refuse } from './refuse.ts'

/** The certificate of a TPM's key that was taken in. */
export interface KeyCertificate {
  /** DER, without what stood around it */
  readonly der: Uint8Array
  readonly key: KeyObject
}

/**
 * Reads `ekcert`, or another member that holds a certificate: DER in base64, or PEM. Zeros after the DER are
 * the rest of an NV index that is larger than its certificate, and are dropped; anything else around it is refused.
 */
export function parseKeyCertificate(text: string, member = 'ekcert'): KeyCertificate {
  const certificate = parse(text, member)
  return { der: certificate.raw, key: keyOf(certificate, member) }
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

const RSAES_OAEP = fromHex('06092a864886f70d010107')
const LAST_ARC_OF_RSA_ENCRYPTION = 1

/** The key; some vendors of TPMs label it RSAES-OAEP, under which OpenSSL does not load it. */
function keyOf(certificate: X509Certificate, member: string): KeyObject {
  try {
    return certificate.publicKey
  } catch (cause) {
    const key = relabelled(certificate)
    if (key !== undefined) return key
    throw refuse(member, 'holds a public key of an unknown kind', cause)
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
