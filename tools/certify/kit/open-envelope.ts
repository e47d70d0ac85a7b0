import { createPublicKey, type KeyObject } from 'node:crypto'
import { fromBase64 } from '../../../conformance/input/canonical-base64.ts'
import { ASK_AGAIN } from '../judge/refusal.ts'
import {
  algorithmOf,
  isSignature,
  KEY_TYPES,
  keyIdOf,
  PAYLOAD_TYPE,
  preAuthenticationEncoding,
} from './envelope.ts'
import { NAMES } from './kit-files.ts'

/** A file of a kit is not as it must be; the message is one sentence. */
export class KitError extends Error {
  override readonly name = 'KitError'
  readonly next: string

  constructor(says: string, next = ASK_AGAIN) {
    super(says)
    this.next = next
  }
}

/** The payload of an envelope with one signature, by this key. Throws {@link KitError}. */
export function openEnvelope(text: string, key: KeyObject): Uint8Array {
  const { payloadType, payload, signatures } = membersOf(parseJson(NAMES.statement, text))
  if (payloadType !== PAYLOAD_TYPE)
    throw new KitError(`${NAMES.statement} has another payload type than ${PAYLOAD_TYPE}`)
  const [signature, ...others] = Array.isArray(signatures) ? signatures : []
  if (signature === undefined) throw new KitError(`${NAMES.statement} has no signature`)
  if (others.length > 0) throw new KitError(`${NAMES.statement} has more than one signature`)
  const { keyid, sig } = membersOf(signature)
  if (keyid !== keyIdOf(key))
    throw new KitError(`${NAMES.statement} names another key than ${NAMES.key}`)
  const message = bytesOf('payload', payload)
  if (!isSignature(preAuthenticationEncoding(message), bytesOf('signature', sig), key))
    throw new KitError(`the signature of ${NAMES.statement} is not valid`)
  return message
}

/** A public key that certificates are signed with. Throws {@link KitError}. */
export function readPublicKey(name: string, text: string): KeyObject {
  if (/PRIVATE KEY/.test(text)) throw new KitError(`${name} holds a private key`)
  const key = parsePublicKey(name, text)
  if (algorithmOf(key) === undefined) throw new KitError(`${name} is not a key of ${KEY_TYPES}`)
  return key
}

function parsePublicKey(name: string, text: string): KeyObject {
  try {
    return createPublicKey(text)
  } catch {
    throw new KitError(`${name} is no public key in PEM`)
  }
}

export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new KitError(`${name} is not JSON`)
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return { ...value }
  throw new KitError(`${NAMES.statement} is no DSSE envelope`)
}

function bytesOf(what: string, value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  if (bytes === undefined || bytes.length === 0)
    throw new KitError(`the ${what} of ${NAMES.statement} is not base64`)
  return bytes
}
