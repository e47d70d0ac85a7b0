import {
  constants,
  createCipheriv,
  createHmac,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { writeCredentialBlob } from '../tpm/credential-blob.ts'
import { HASHES } from '../tpm/hash.ts'
import { parseTpm2bPublic, spkiOf } from '../tpm/public.ts'
import { cat, filled, text, tpm2b } from '../tpm/write.ts'
import { kdfa, SEED_LABEL, USUAL_SEALING } from './open-credential.ts'

/**
 * Performs TPM2_MakeCredential (Part 1, 24) outside a TPM. Returns a credential file that only the RSA endorsement
 * key (TPM2B_PUBLIC, SHA-256 and AES-128-CFB) opens, and only for the object with this Name.
 */
export function makeCredential(
  endorsementKey: Uint8Array,
  name: Uint8Array,
  secret: Uint8Array,
): Uint8Array {
  const seed = new Uint8Array(randomBytes(HASHES[USUAL_SEALING.hash].size))
  const der = Buffer.from(spkiOf(parseTpm2bPublic(endorsementKey)))
  const encryptedSecret = publicEncrypt(
    {
      key: createPublicKey({ key: der, format: 'der', type: 'spki' }),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha256',
      oaepLabel: text(SEED_LABEL),
    },
    seed,
  )
  const { aesBits } = USUAL_SEALING
  const key = kdfa(USUAL_SEALING, seed, 'STORAGE', name, aesBits)
  const cipher = createCipheriv(`aes-${aesBits}-cfb`, key, filled(16))
  const sealed = cat(cipher.update(tpm2b(secret)), cipher.final())
  const hmacKey = kdfa(USUAL_SEALING, seed, 'INTEGRITY', filled(0))
  const integrity = createHmac('sha256', hmacKey).update(sealed).update(name).digest()
  return writeCredentialBlob({
    idObject: cat(tpm2b(new Uint8Array(integrity)), sealed),
    encryptedSecret: new Uint8Array(encryptedSecret),
  })
}
