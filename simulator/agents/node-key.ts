import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { keyDigests } from '../machine/pull-machine.ts'
import { decryptHalf, type KeyForms } from './key-forms.ts'

/** The RSA key to which V and U are encrypted, and whose digest is in PCR 16. */
export interface NodeKey {
  /** SubjectPublicKeyInfo in PEM, with the final newline, which is measured too. */
  readonly publicPem: string
  readonly digests: ReturnType<typeof keyDigests>
  /** Decrypts one half of K; undefined if that fails. */
  decrypt(ciphertext: Uint8Array, forms: KeyForms): Uint8Array | undefined
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
    decrypt(ciphertext, forms) {
      try {
        return decryptHalf(forms, key, ciphertext)
      } catch {
        return undefined
      }
    },
  }
}
