import {
  constants,
  createCipheriv,
  createHmac,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { base64 } from '../client/bytes.ts'

/** The bootstrap keys of one agent: K = U xor V. */
export interface BootstrapKeys {
  readonly k: Uint8Array
  readonly u: Uint8Array
  readonly v: Uint8Array
}

const KEY_SIZE = 32
const IV_SIZE = 16

/** Random keys of `size` bytes each. */
export function makeBootstrapKeys(size = KEY_SIZE): BootstrapKeys {
  const [u, v] = [randomBytes(size), randomBytes(size)]
  return { u, v, k: u.map((byte, at) => byte ^ (v[at] ?? 0)) }
}

/** Encrypts a key for the agent: RSA-OAEP with SHA-1 as in Keylime (ambiguity PADDING), in base64. */
export function encryptKey(publicKeyPem: string, key: Uint8Array): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  return base64(
    publicEncrypt({ key: createPublicKey(publicKeyPem), padding, oaepHash: 'sha1' }, key),
  )
}

/** HMAC-SHA-384 with K, in hexadecimal: the tag of a U key and the answer of keys/verify. */
export function hmacOf({ k }: Pick<BootstrapKeys, 'k'>, text: string): string {
  return createHmac('sha384', k).update(text).digest('hex')
}

/** Encrypts a payload with K: base64 of IV, AES-256-GCM ciphertext and tag (ambiguity KDERIVE). */
export function sealPayload({ k }: Pick<BootstrapKeys, 'k'>, payload: Uint8Array): string {
  const iv = randomBytes(IV_SIZE)
  const cipher = createCipheriv('aes-256-gcm', k, iv)
  return base64(Buffer.concat([iv, cipher.update(payload), cipher.final(), cipher.getAuthTag()]))
}
