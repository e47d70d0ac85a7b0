import {
  constants,
  createHash,
  createHmac,
  hkdfSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto'

/** Encodings of the bootstrap keys that the interface document leaves open. */
export interface KeyForms {
  /** Padding of V and U (ambiguity PADDING). */
  readonly padding: 'oaep' | 'oaep-sha256' | 'pkcs1'
  /** How K follows from U and V: their XOR, the hash of U and V, or HKDF of U with V as salt (ambiguity KDERIVE). */
  readonly derivation: 'xor' | 'sha256' | 'hkdf-sha256'
  /** Text of `auth_tag`, an HMAC with SHA-384 (ambiguity TAGENC). */
  readonly tag: 'hex' | 'base64'
  /** Hash and text of `hmac` (ambiguity HMACALG). */
  readonly proof: 'sha384-hex' | 'sha384-base64' | 'sha256-hex'
}

/** The forms of upstream. */
export const USUAL_FORMS: KeyForms = {
  padding: 'oaep',
  derivation: 'xor',
  tag: 'hex',
  proof: 'sha384-hex',
}

function oaep({ padding }: KeyForms) {
  const oaepHash = padding === 'oaep' ? 'sha1' : 'sha256'
  return { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }
}

/** One half of K, encrypted for the public key. */
export function encryptHalf(forms: KeyForms, key: KeyObject, half: Uint8Array): Buffer {
  if (forms.padding !== 'pkcs1') return publicEncrypt({ key, ...oaep(forms) }, half)
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, half)
}

/** One half of K. @throws {Error} if it was not encrypted in this form */
export function decryptHalf(forms: KeyForms, key: KeyObject, encrypted: Uint8Array): Uint8Array {
  if (forms.padding !== 'pkcs1')
    return new Uint8Array(privateDecrypt({ key, ...oaep(forms) }, encrypted))
  // Node does not unpad by itself, because servers that report a bad padding can be made to decrypt.
  const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted)
  const end = block.indexOf(0, 2)
  if (block[0] !== 0 || block[1] !== 2 || end < 10) throw new Error('the padding is not PKCS #1')
  return new Uint8Array(block.subarray(end + 1))
}

/** K, of both halves. */
export function deriveKey({ derivation }: KeyForms, u: Uint8Array, v: Uint8Array): Uint8Array {
  if (derivation === 'xor') return u.map((byte, at) => byte ^ (v[at] ?? 0))
  if (derivation === 'hkdf-sha256') return new Uint8Array(hkdfSync('sha256', u, v, '', u.length))
  return new Uint8Array(createHash('sha256').update(u).update(v).digest())
}

/** `auth_tag` of a U key: over the agent's id. */
export function tagText(forms: KeyForms, k: Uint8Array, agentId: string): string {
  return createHmac('sha384', k).update(agentId).digest(forms.tag)
}

/** `hmac` of keys/verify: over the challenge. */
export function proofText({ proof }: KeyForms, k: Uint8Array, challenge: string): string {
  const hash = proof === 'sha256-hex' ? 'sha256' : 'sha384'
  return createHmac(hash, k)
    .update(challenge)
    .digest(proof === 'sha384-base64' ? 'base64' : 'hex')
}
