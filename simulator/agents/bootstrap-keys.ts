import { deriveKey, type KeyForms, proofText, tagText } from './key-forms.ts'
import type { NodeKey } from './node-key.ts'

const KEY_BYTES = 32

/** Bootstrap keys of an agent: V and U in either order, and the derived K. */
export interface BootstrapKeys {
  readonly v: Uint8Array | undefined
  readonly u: Uint8Array | undefined
  readonly payload: Uint8Array | undefined
  /** Takes the body of a POST; returns false if it does not decrypt to a key. */
  takeV(body: unknown): boolean
  /**
   * Takes the body of a POST; returns false if it does not decrypt. If its tag is not that of K over the agent's id, the
   * V that was taken before is of another pair, and is forgotten.
   */
  takeU(body: unknown): boolean
  /** Returns the HMAC of K over a challenge; undefined without K. */
  proof(challenge: string): string | undefined
}

function member(body: unknown, name: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Creates the key state of one agent, initially empty. */
export function bootstrapKeys(agentId: string, nodeKey: NodeKey, forms: KeyForms): BootstrapKeys {
  let v: Uint8Array | undefined
  let u: Uint8Array | undefined
  let authTag: string | undefined
  let payload: Uint8Array | undefined
  const derived = (): Uint8Array | undefined => {
    const [one, other] = [u, v]
    return one && other && deriveKey(forms, one, other)
  }
  const decrypt = (body: unknown): Uint8Array | undefined => {
    const text = member(body, 'encrypted_key')
    const key = text === undefined ? undefined : nodeKey.decrypt(Buffer.from(text, 'base64'), forms)
    return key?.length === KEY_BYTES ? key : undefined
  }
  const holds = () => {
    const k = derived()
    return k === undefined || tagText(forms, k, agentId) === authTag
  }
  return {
    get v() {
      return v
    },
    get u() {
      return u
    },
    get payload() {
      return payload
    },
    takeV(body) {
      const key = decrypt(body)
      v = key ?? v
      return key !== undefined
    },
    takeU(body) {
      const key = decrypt(body)
      const text = member(body, 'payload')
      u = key ?? u
      authTag = member(body, 'auth_tag') ?? authTag
      payload = text === undefined ? payload : new Uint8Array(Buffer.from(text, 'base64'))
      if (!holds()) v = undefined
      return key !== undefined
    },
    proof(challenge) {
      const k = derived()
      return k && proofText(forms, k, challenge)
    },
  }
}
