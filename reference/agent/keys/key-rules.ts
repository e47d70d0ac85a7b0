import {
  constants,
  createDecipheriv,
  createHmac,
  type KeyObject,
  privateDecrypt,
  timingSafeEqual,
} from 'node:crypto'
import { concat } from '../../bytes/writer.ts'
import { KEY_MOVES, type KeyMove } from './key-moves.ts'

/** How the bootstrap keys are read, combined and proved; an agent without one of these is a mutant. */
export interface KeyRules {
  /** Bytes of V and of U (interface document, "Limits"). */
  readonly halfLength: number
  readonly moves: readonly KeyMove[]
  /** Decrypts a half; throws when it is not encrypted for this key. */
  openHalf(key: KeyObject, encrypted: Uint8Array): Uint8Array
  /** K, of both halves. */
  combine(u: Uint8Array, v: Uint8Array): Uint8Array
  /** The expected `auth_tag` of U. */
  tagOf(key: Uint8Array, agentId: string): Uint8Array
  isSameTag(expected: Uint8Array, given: Uint8Array): boolean
  /** What keys/verify answers, as bytes. */
  proofOf(key: Uint8Array, challenge: string): Uint8Array
  /** Decrypts a payload; throws when it was not encrypted with K. */
  openPayload(key: Uint8Array, payload: Uint8Array): Uint8Array
}

const IV = 16
const TAG = 16
/** Bytes that a payload has besides its contents. */
export const PAYLOAD_OVERHEAD = IV + TAG

/** Bytes of an HMAC with SHA-384. */
export const TAG_LENGTH = 48

function hmac(key: Uint8Array, message: string): Uint8Array {
  return createHmac('sha384', key).update(message).digest()
}

/** Encodings that the document leaves open are upstream's (ambiguities PADDING, KDERIVE, HMACALG). */
export const keyRules: KeyRules = {
  halfLength: 32,
  moves: KEY_MOVES,
  openHalf: (key, encrypted) =>
    privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, encrypted),
  combine: (u, v) => Uint8Array.from(u, (byte, at) => byte ^ (v[at] ?? 0)),
  tagOf: hmac,
  isSameTag: (expected, given) =>
    expected.length === given.length && timingSafeEqual(expected, given),
  proofOf: hmac,
  openPayload(key, payload) {
    const cipher = createDecipheriv('aes-256-gcm', key, payload.subarray(0, IV), {
      authTagLength: TAG,
    })
    cipher.setAuthTag(payload.subarray(-TAG))
    return concat(cipher.update(payload.subarray(IV, -TAG)), cipher.final())
  },
}
