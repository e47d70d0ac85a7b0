import { constants, verify, X509Certificate } from 'node:crypto'

/** The message of a verifier about a failed agent. */
export interface SignedRevocation {
  /** JSON text; the signature is over these very bytes. */
  readonly msg: string
  /** RSA-PSS with SHA-256; empty where the agent was added without a revocation key. */
  readonly signature: Uint8Array
}

/** The content of an authentic message; or why it is ignored. */
type Verdict =
  | { readonly ok: true; readonly message: object }
  | { readonly ok: false; readonly why: string }

/** Verifies a revocation message with the certificate from the payload, in PEM. */
export function verifyRevocation(
  certificate: string | undefined,
  { msg, signature }: SignedRevocation,
): Verdict {
  if (certificate === undefined) return refuse('there is no certificate to verify it with')
  if (!isSigned(certificate, msg, signature)) return refuse('its signature does not hold')
  const message = parse(msg)
  return message === undefined ? refuse('it is no JSON object') : { ok: true, message }
}

function isSigned(pem: string, msg: string, signature: Uint8Array): boolean {
  try {
    const { publicKey: key } = new X509Certificate(pem)
    if (key.asymmetricKeyType !== 'rsa') return false
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const saltLength = constants.RSA_PSS_SALTLEN_AUTO
    return verify('sha256', Buffer.from(msg), { key, padding, saltLength }, signature)
  } catch {
    return false
  }
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function refuse(why: string): Verdict {
  return { ok: false, why }
}
