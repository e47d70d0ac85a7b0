import {
  constants,
  createCipheriv,
  createHmac,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  timingSafeEqual,
} from 'node:crypto'
import { toBase64 } from '../../../bytes/base64.ts'
import { concat } from '../../../bytes/writer.ts'
import type { Random } from '../../../platform/random.ts'

/** The bootstrap key and its halves: U goes to the agent at once, V when the verifier trusts it. */
export interface BootstrapKeys {
  readonly k: Uint8Array
  readonly u: Uint8Array
  readonly v: Uint8Array
}

const KEY_BYTES = 32
const IV_BYTES = 16

/** How keys are made, hidden and proven (interface document, "Bootstrap key scheme"); a mutant swaps one of them. */
export interface BootstrapRules {
  /** K and V at random, and U such that neither half reveals K (ambiguity KDERIVE). */
  readonly split: (random: Pick<Random, 'bytes'>) => BootstrapKeys
  /** base64 of a half under the agent's key (ambiguity PADDING). */
  readonly wrap: (half: Uint8Array, key: KeyObject) => string
  /** By which the agent knows that its halves belong together (interface document, "Limits": `auth_tag`). */
  readonly authTag: (k: Uint8Array, agentId: string) => string
  /** base64 of the payload under K. */
  readonly seal: (k: Uint8Array, payload: Uint8Array, random: Pick<Random, 'bytes'>) => string
  /** Whether the answer to the challenge proves K (ambiguity HMACALG). */
  readonly isProof: (k: Uint8Array, challenge: string, hmac: string) => boolean
}

export const bootstrapRules: BootstrapRules = {
  split(random) {
    const [k, v] = [random.bytes(KEY_BYTES), random.bytes(KEY_BYTES)]
    return { k, v, u: k.map((byte, at) => byte ^ (v[at] ?? 0)) }
  },
  wrap: (half, key) => {
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    return toBase64(publicEncrypt({ key, padding, oaepHash: 'sha1' }, half))
  },
  authTag: (k, agentId) => tagOf(k, agentId).toString('hex'),
  seal(k, payload, random) {
    const iv = random.bytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', k, iv)
    const hidden = concat(cipher.update(payload), cipher.final())
    return toBase64(concat(iv, hidden, cipher.getAuthTag()))
  },
  isProof(k, challenge, hmac) {
    const right = tagOf(k, challenge)
    const said = Buffer.from(hmac, 'hex')
    return said.length === right.length && timingSafeEqual(said, right)
  },
}

function tagOf(k: Uint8Array, text: string): Buffer {
  return createHmac('sha384', k).update(text).digest()
}

const LEAST_BITS = 2048

/** The agent's key as it came, in PEM; undefined when no half may be hidden under it. */
export function readNodeKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem)
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return key.asymmetricKeyType === 'rsa' && bits >= LEAST_BITS ? key : undefined
  } catch {
    return undefined
  }
}
