import {
  constants,
  createDecipheriv,
  createHmac,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { parseCredentialBlob } from '../tpm/credential-blob.ts'
import { Cursor } from '../tpm/cursor.ts'
import { cat, equal, filled, text, u32 } from '../tpm/write.ts'

export const SEED_LABEL = 'IDENTITY\0'
export const AES_BITS = 128
export const HASH_BITS = 256
const IV = filled(16)

/** KDFa with SHA-256 (Part 1, 11.4.10.2), for at most one block of the hash. */
export function kdfa(
  key: Uint8Array,
  label: string,
  context: Uint8Array,
  bits: number,
): Uint8Array {
  const input = cat(u32(1), text(`${label}\0`), context, u32(bits))
  return new Uint8Array(createHmac('sha256', key).update(input).digest()).subarray(0, bits / 8)
}

/** Decrypts the seed of a credential file for an RSA endorsement key. Throws Error if it is for another key. */
export function seedOf(blob: Uint8Array, endorsementKey: KeyObject): Uint8Array {
  const { encryptedSecret } = parseCredentialBlob(blob)
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const options = { key: endorsementKey, padding, oaepHash: 'sha256', oaepLabel: text(SEED_LABEL) }
  return new Uint8Array(privateDecrypt(options, encryptedSecret))
}

/**
 * Performs TPM2_ActivateCredential (Part 1, 24) outside a TPM: opens a credential file for an endorsement key with
 * SHA-256 and AES-128-CFB, and for the object with this Name.
 * Throws Error if the blob is for another key or another object.
 */
export function openCredential(
  blob: Uint8Array,
  endorsementKey: KeyObject,
  name: Uint8Array,
): Uint8Array {
  const { idObject } = parseCredentialBlob(blob)
  const seed = seedOf(blob, endorsementKey)
  const cursor = new Cursor(idObject, 'TPMS_ID_OBJECT')
  const integrity = cursor.tpm2b()
  const sealed = cursor.rest()
  const hmacKey = kdfa(seed, 'INTEGRITY', filled(0), HASH_BITS)
  const expected = createHmac('sha256', hmacKey).update(sealed).update(name).digest()
  if (!equal(integrity, expected)) throw new Error('the credential is for another object')
  const decipher = createDecipheriv('aes-128-cfb', kdfa(seed, 'STORAGE', name, AES_BITS), IV)
  const opened = cat(decipher.update(sealed), decipher.final())
  return new Cursor(opened, 'TPM2B_DIGEST').tpm2b()
}
