import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { ApiError } from '../../errors.ts'
import { checkEnvelope, envelopeIn } from './check-envelope.ts'

export interface SignedPolicy {
  readonly runtime_policy?: string | null
  readonly runtime_policy_sig?: string | null
  readonly runtime_policy_key?: string | null
}

/**
 * Checks the signature of a runtime policy (interface document, "Add-agent request":
 * `runtime_policy_sig` and `runtime_policy_key` require each other). The signature is detached, or, as upstream has
 * it, by the envelope (DSSE) it is in; such a policy brings its signature with it, and the key stands alone.
 *
 * The document names no scheme. Here the key is a public key or a certificate, PEM or SPKI DER inside
 * base64, and the detached signature covers the policy's bytes: SHA-256 with RSASSA-PKCS1-v1_5 or with ECDSA
 * in DER, or Ed25519. An unchecked signature would be worse than none.
 *
 * @param required whether a policy without a signature is refused (setting `require_allow_list_signatures`)
 */
export function checkPolicySignature(request: SignedPolicy, required = false): void {
  const signature = request.runtime_policy_sig || undefined
  const key = request.runtime_policy_key || undefined
  const policy = read(request.runtime_policy ?? '', 'runtime_policy')
  if (required && policy.length > 0 && key === undefined)
    throw new ApiError('not_authenticated', 'runtime_policy_key: a policy has to be signed here', {
      pointer: '/runtime_policy_key',
    })
  const envelope = envelopeIn(policy)
  if (envelope) checkEnvelope(envelope, key === undefined ? undefined : readKey(key))
  if (signature === undefined && key !== undefined && !envelope)
    throw refuse('runtime_policy_sig', 'runtime_policy_key requires it')
  if (signature !== undefined) checkDetached(policy, signature, key)
}

function checkDetached(policy: Uint8Array, signature: string, key: string | undefined): void {
  if (key === undefined) throw refuse('runtime_policy_key', 'runtime_policy_sig requires it')
  if (policy.length === 0) throw refuse('runtime_policy', 'a signature needs the policy it signs')
  if (!holds(policy, readKey(key), read(signature, 'runtime_policy_sig'))) {
    throw refuse('runtime_policy_sig', 'is not a signature of this policy by this key')
  }
}

function holds(policy: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return verify(hash, policy, key, signature)
}

/** Kinds of PEM (RFC 7468) that hold a public key and nothing else. */
const PUBLIC: readonly string[] = ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE']
const KEY_TYPES: readonly (string | undefined)[] = ['rsa', 'ec', 'ed25519']

function readKey(text: string): KeyObject {
  const bytes = Buffer.from(read(text, 'runtime_policy_key'))
  try {
    const blocks = [...bytes.toString('latin1').matchAll(/-----BEGIN ([^-]*)-----/g)]
    const key = createPublicKey(
      blocks.length > 0 ? bytes : { key: bytes, format: 'der', type: 'spki' },
    )
    if (!blocks.every(([, label = '']) => PUBLIC.includes(label)))
      throw new TypeError('a private key has a public one, and must not be sent')
    if (KEY_TYPES.includes(key.asymmetricKeyType)) return key
  } catch (cause) {
    throw refuse('runtime_policy_key', 'is not a public key', cause)
  }
  throw refuse('runtime_policy_key', 'an RSA, an EC or an Ed25519 key is needed')
}

function read(text: string, member: string): Uint8Array {
  try {
    return fromBase64(text, member)
  } catch (error) {
    if (error instanceof WireError) throw refuse(member, error.problem)
    throw error
  }
}

function refuse(member: string, detail: string, cause?: unknown): ApiError {
  return new ApiError('malformed_request', `${member}: ${detail}`, { pointer: `/${member}`, cause })
}
