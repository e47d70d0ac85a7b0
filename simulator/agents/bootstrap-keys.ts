import { createHmac } from 'node:crypto'
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
   * Takes the body of a POST; returns false if it does not decrypt, or its tag is not that of K over the agent's
   * id.
   */
  takeU(body: unknown): boolean
  /** Returns the HMAC of K over a challenge in hexadecimal; undefined without K. */
  proof(challenge: string): string | undefined
}

function member(body: unknown, name: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Creates the key state of one agent, initially empty. */
export function bootstrapKeys(agentId: string, nodeKey: NodeKey): BootstrapKeys {
  let v: Uint8Array | undefined
  let u: Uint8Array | undefined
  let authTag: string | undefined
  let payload: Uint8Array | undefined
  const hmac = (challenge: string): string | undefined => {
    const [one, other] = [v, u]
    if (one === undefined || other === undefined) return undefined
    const key = one.map((byte, at) => byte ^ (other[at] ?? 0))
    return createHmac('sha384', key).update(challenge).digest('hex')
  }
  const decrypt = (body: unknown): Uint8Array | undefined => {
    const text = member(body, 'encrypted_key')
    const key = text === undefined ? undefined : nodeKey.decrypt(Buffer.from(text, 'base64'))
    return key?.length === KEY_BYTES ? key : undefined
  }
  const holds = () => hmac(agentId) === undefined || hmac(agentId) === authTag
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
      return key !== undefined && holds()
    },
    proof: hmac,
  }
}
