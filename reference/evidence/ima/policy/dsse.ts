import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { fromBase64 } from '../../../bytes/base64.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { PolicyError } from '../../policy-error.ts'
import { type JsonObject, listAt, objectAt, textAt } from './policy-shape.ts'

/** A signed policy: a Dead Simple Signing Envelope (DSSE 1.0.2). */
export interface Envelope {
  readonly payloadType: string
  readonly payload: Uint8Array
  readonly signatures: readonly EnvelopeSignature[]
}

interface EnvelopeSignature {
  /** names the key, or is its certificate: PEM, or base64 of PEM or DER */
  readonly keyid: string
  readonly sig: Uint8Array
}

/** Most signatures that are looked at; each is one public-key operation a key. */
const MAX_SIGNATURES = 16

/** Whether a policy document is an envelope around one: it has a payload that is not empty. */
export function isEnvelope(root: JsonObject): boolean {
  return Boolean(root.payload)
}

/** @throws {PolicyError} naming the invalid member of the envelope */
export function readEnvelope(root: JsonObject): Envelope {
  const signatures = listAt(root.signatures, 'signatures', 'signatures')
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES)
    throw new PolicyError('signatures', `expected 1 to ${MAX_SIGNATURES}, got ${signatures.length}`)
  return {
    payloadType: textAt(root.payloadType, 'payloadType'),
    payload: bytesAt(root.payload, 'payload'),
    signatures: signatures.map((each, index) => signatureAt(each, `signatures[${index}]`)),
  }
}

function signatureAt(value: unknown, path: string): EnvelopeSignature {
  const { keyid = '', sig } = objectAt(value, path)
  return { keyid: textAt(keyid, `${path}.keyid`), sig: bytesAt(sig, `${path}.sig`) }
}

function bytesAt(value: unknown, path: string): Uint8Array {
  try {
    return fromBase64(textAt(value, path), path)
  } catch (error) {
    if (error instanceof WireError) throw new PolicyError(path, error.problem, { cause: error })
    throw error
  }
}

/** The text inside an envelope, signed or not. */
export function payloadText({ payload }: Envelope): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch (cause) {
    throw new PolicyError('payload', 'is not UTF-8 text', { cause })
  }
}

/** The signed bytes (DSSE, "PAE"): version, type and payload, each text behind its length in bytes. */
export function preAuthenticationEncoding({ payloadType, payload }: Envelope): Uint8Array {
  const type = Buffer.from(payloadType)
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ])
}

/** Keys of the certificates in an envelope: they identify the signer, and do not make it trusted. */
export function carriedKeys({ signatures }: Envelope): readonly KeyObject[] {
  return signatures.flatMap(({ keyid }) => certificateKey(keyid) ?? [])
}

function certificateKey(keyid: string): KeyObject | undefined {
  try {
    const pem = keyid.includes('-----BEGIN')
    return new X509Certificate(pem ? keyid : Buffer.from(keyid, 'base64')).publicKey
  } catch {
    // Most key ids are names or digests of keys.
    return undefined
  }
}

/** Whether one of the signatures is by one of these keys: ECDSA with SHA-256, in DER. */
export function isSignedBy(envelope: Envelope, keys: readonly KeyObject[]): boolean {
  const message = preAuthenticationEncoding(envelope)
  return keys
    .filter(({ asymmetricKeyType }) => asymmetricKeyType === 'ec')
    .some((key) => envelope.signatures.some(({ sig }) => verify('sha256', message, key, sig)))
}
