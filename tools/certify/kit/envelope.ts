import { createHash, type KeyObject, verify } from 'node:crypto'

/** A Dead Simple Signing Envelope (DSSE 1.0.2) with one signature, as JSON. */
export interface Envelope {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** The signed bytes (DSSE, "PAE"): version, type and payload, each text behind its length in bytes. */
export function preAuthenticationEncoding(payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** SHA-256 of SubjectPublicKeyInfo, in hex. */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** What is signed with a key: its hash follows from the key, never from the envelope. */
interface Algorithm {
  readonly name: string
  readonly hash: 'sha256' | 'sha384' | null
}

const CURVES: Readonly<Record<string, Algorithm>> = {
  prime256v1: { name: 'ECDSA P-256 with SHA-256', hash: 'sha256' },
  secp384r1: { name: 'ECDSA P-384 with SHA-384', hash: 'sha384' },
}

const SMALLEST_RSA = 2048

/** The signature algorithm of a key; undefined if certificates are not signed with such keys. */
export function algorithmOf(key: KeyObject): Algorithm | undefined {
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return { name: 'Ed25519', hash: null }
    case 'ec':
      return CURVES[namedCurve]
    case 'rsa':
      return modulusLength < SMALLEST_RSA
        ? undefined
        : { name: `RSASSA-PKCS1-v1_5 ${modulusLength} with SHA-256`, hash: 'sha256' }
    default:
      return undefined
  }
}

export const KEY_TYPES = 'Ed25519, ECDSA P-256 or P-384, or RSA of 2048 bits or more'

export function isSignature(message: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  const algorithm = algorithmOf(key)
  return algorithm !== undefined && verify(algorithm.hash, message, key, signature)
}
