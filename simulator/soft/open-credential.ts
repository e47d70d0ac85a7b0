import {
  constants,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  type JsonWebKey,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { parseCredentialBlob } from '../tpm/credential-blob.ts'
import { Cursor } from '../tpm/cursor.ts'
import { digest, HASHES } from '../tpm/hash.ts'
import { base64url } from '../tpm/public.ts'
import { cat, equal, filled, text, u32 } from '../tpm/write.ts'

export const SEED_LABEL = 'IDENTITY\0'

/** What an endorsement key seals with: its nameAlg, and the size of its AES-CFB in bits. */
export interface Sealing {
  readonly hash: 'sha256' | 'sha384'
  readonly aesBits: number
}

/** The sealing of the default templates. */
export const USUAL_SEALING: Sealing = { hash: 'sha256', aesBits: 128 }

const IV = filled(16)

/** KDFa (Part 1, 11.4.10.2), for at most one block of the hash. Default: the bits of the hash. */
export function kdfa(
  { hash }: Pick<Sealing, 'hash'>,
  key: Uint8Array,
  label: string,
  context: Uint8Array,
  bits: number = 8 * HASHES[hash].size,
): Uint8Array {
  const input = cat(u32(1), text(`${label}\0`), context, u32(bits))
  return new Uint8Array(createHmac(hash, key).update(input).digest()).subarray(0, bits / 8)
}

/** Finds the seed of a credential file for an endorsement key. Throws Error if it is for another RSA key. */
export function seedOf(
  blob: Uint8Array,
  endorsementKey: KeyObject,
  sealing = USUAL_SEALING,
): Uint8Array {
  const { encryptedSecret } = parseCredentialBlob(blob)
  if (endorsementKey.asymmetricKeyType === 'ec')
    return sharedSeed(encryptedSecret, endorsementKey, sealing)
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const { hash: oaepHash } = sealing
  const options = { key: endorsementKey, padding, oaepHash, oaepLabel: text(SEED_LABEL) }
  return new Uint8Array(privateDecrypt(options, encryptedSecret))
}

/** The seed that an ephemeral point (TPMS_ECC_POINT) shares with a key on the same curve (Part 1, C.6.4, and KDFe in 11.4.10.3). */
function sharedSeed(
  point: Uint8Array,
  privateKey: KeyObject,
  { hash }: Pick<Sealing, 'hash'>,
): Uint8Array {
  const own = createPublicKey(privateKey).export({ format: 'jwk' })
  const ownX = Buffer.from(own.x ?? '', 'base64url')
  const cursor = new Cursor(point, 'TPMS_ECC_POINT')
  // A registrar may leave out leading zeros.
  const coordinate = () => {
    const bytes = cursor.tpm2b()
    return cat(filled(Math.max(0, ownX.length - bytes.length)), bytes)
  }
  const [x, y] = [coordinate(), coordinate()]
  const jwk: JsonWebKey = { ...own, x: base64url(x), y: base64url(y) }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const shared = diffieHellman({ privateKey, publicKey })
  const input = cat(u32(1), shared, text(SEED_LABEL), x, ownX)
  return digest(hash, input)
}

/**
 * Performs TPM2_ActivateCredential (Part 1, 24) outside a TPM: opens a credential file for an endorsement key, RSA or on
 * a curve, and for the object with this Name.
 * Throws Error if the blob is for another key or another object.
 */
export function openCredential(
  blob: Uint8Array,
  endorsementKey: KeyObject,
  name: Uint8Array,
  sealing = USUAL_SEALING,
): Uint8Array {
  const { idObject } = parseCredentialBlob(blob)
  const seed = seedOf(blob, endorsementKey, sealing)
  const cursor = new Cursor(idObject, 'TPMS_ID_OBJECT')
  const integrity = cursor.tpm2b()
  const sealed = cursor.rest()
  const hmacKey = kdfa(sealing, seed, 'INTEGRITY', filled(0))
  const expected = createHmac(sealing.hash, hmacKey).update(sealed).update(name).digest()
  if (!equal(integrity, expected)) throw new Error('the credential is for another object')
  const key = kdfa(sealing, seed, 'STORAGE', name, sealing.aesBits)
  const decipher = createDecipheriv(`aes-${sealing.aesBits}-cfb`, key, IV)
  const opened = cat(decipher.update(sealed), decipher.final())
  return new Cursor(opened, 'TPM2B_DIGEST').tpm2b()
}
