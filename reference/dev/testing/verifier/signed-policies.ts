import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { toBase64 } from '../../../bytes/base64.ts'
import { RUNTIME_POLICY } from '../runtime-policy.ts'

/** The key that policies are signed by, and another one. */
export const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export const PAYLOAD_TYPE = 'application/vnd.keylime+json'

export function base64(text: string | Uint8Array): string {
  return toBase64(Buffer.from(text))
}

/** A public key as `runtime_policy_key` has it. */
export function pemKey({ publicKey }: { readonly publicKey: KeyObject }): string {
  return base64(publicKey.export({ format: 'pem', type: 'spki' }).toString())
}

/** The bytes that an envelope of DSSE has signed, spelled out here independently of the code under test. */
export function signedBytes(payload: string, type = PAYLOAD_TYPE): Buffer {
  const bytes = Buffer.from(payload)
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${bytes.length} `
  return Buffer.concat([Buffer.from(head), bytes])
}

export interface SignedEnvelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** A policy in an envelope that a key signed. */
export function envelopeOf(
  payload = RUNTIME_POLICY,
  key = signer.privateKey,
  keyid = 'who',
): SignedEnvelope {
  const sig = sign('sha256', signedBytes(payload), key).toString('base64')
  return { payload: base64(payload), payloadType: PAYLOAD_TYPE, signatures: [{ keyid, sig }] }
}

/** An upload of a policy without a signature of its own. */
export function upload(policy: string, change: Readonly<Record<string, unknown>> = {}) {
  return { runtime_policy: base64(policy), ...change }
}

/** An upload of a policy with a detached signature, and the key that is to have made it. */
export function detached(policy: string, key = signer.privateKey) {
  const sig = base64(sign('sha256', Buffer.from(policy), key))
  return upload(policy, { runtime_policy_sig: sig, runtime_policy_key: pemKey(signer) })
}
