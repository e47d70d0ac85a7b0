import { createCipheriv, createPublicKey, randomBytes } from 'node:crypto'
import {
  deriveKey,
  encryptHalf,
  type KeyForms,
  proofText,
  tagText,
} from '../../simulator/agents/key-forms.ts'
import { base64 } from '../client/bytes.ts'
import { outside } from '../recording/outside.ts'

/** The bootstrap keys of one agent. */
export interface BootstrapKeys {
  readonly k: Uint8Array
  readonly u: Uint8Array
  readonly v: Uint8Array
  readonly keyForms: KeyForms
}

const KEY_SIZE = 32
const IV_SIZE = 16

/** Random keys of `size` bytes each, in the encodings of an agent. */
export function makeBootstrapKeys(
  { keyForms }: Pick<BootstrapKeys, 'keyForms'>,
  size = KEY_SIZE,
): BootstrapKeys {
  const half = () => outside(() => randomBytes(size))
  const [u, v] = [half(), half()]
  return { u, v, keyForms, k: deriveKey(keyForms, u, v) }
}

/** Encrypts a key for the agent, in base64. */
export function encryptKey(publicKeyPem: string, key: Uint8Array, forms: KeyForms): string {
  return base64(encryptHalf(forms, createPublicKey(publicKeyPem), key))
}

/** The tag of a U key. */
export function tagOf({ k, keyForms }: Pick<BootstrapKeys, 'k' | 'keyForms'>, agentId: string) {
  return tagText(keyForms, k, agentId)
}

/** The answer of keys/verify. */
export function proofOf({ k, keyForms }: BootstrapKeys, challenge: string): string {
  return proofText(keyForms, k, challenge)
}

/** Encrypts a payload with K: base64 of IV, AES-256-GCM ciphertext and tag (ambiguity KDERIVE). */
export function sealPayload({ k }: Pick<BootstrapKeys, 'k'>, payload: Uint8Array): string {
  const iv = randomBytes(IV_SIZE)
  const cipher = createCipheriv('aes-256-gcm', k, iv)
  return base64(Buffer.concat([iv, cipher.update(payload), cipher.final(), cipher.getAuthTag()]))
}
