import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { keyDigests } from '../machine/pull-machine.ts'

/** The RSA key to which V and U are encrypted, and whose digest is in PCR 16. */
export interface NodeKey {
  /** SubjectPublicKeyInfo in PEM, with the final newline, which is measured too. */
  readonly publicPem: string
  readonly digests: ReturnType<typeof keyDigests>
  /** Decrypts RSA-OAEP with SHA-1; undefined if that fails. */
  decrypt(ciphertext: Uint8Array): Uint8Array | undefined
}

/** Name of a node key that is not that of the other agents. */
export const STRANGER = 'the node key of a stranger'

const BITS = 2048
const keys = new Map<string, NodeKey>()

/** Returns the node key of that name: new in every process, and the same for all callers in it. */
export function nodeKeyOf(name: string): NodeKey {
  const key =
    keys.get(name) ?? makeNodeKey(generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey)
  keys.set(name, key)
  return key
}

function makeNodeKey(key: KeyObject): NodeKey {
  const publicPem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return {
    publicPem,
    digests: keyDigests(publicPem),
    decrypt(ciphertext) {
      const padding = constants.RSA_PKCS1_OAEP_PADDING
      try {
        return new Uint8Array(privateDecrypt({ key, padding, oaepHash: 'sha1' }, ciphertext))
      } catch {
        return undefined
      }
    },
  }
}
