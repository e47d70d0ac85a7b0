import { parseRuntimePolicy, type RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'

/** Policies that were read, by the digest of their text. */
export interface PolicyMemory {
  find(digest: string): RuntimePolicy | undefined
  /** Reads a policy and keeps it; throws PolicyError. */
  learn(digest: string, text: Uint8Array): RuntimePolicy
  /** Digests that were given up since this was asked last. */
  forgotten(): readonly string[]
}

/** Bytes of policy texts whose parsed forms are kept. */
const CAPACITY = 64 * 1024 * 1024

/**
 * Keeps the most recently used policies. A policy of 20 MB takes longer to parse than to apply, and what is known of list
 * entries is cached on the object, so the same object must be found again.
 */
export function policyMemory(read = parseRuntimePolicy, capacity = CAPACITY): PolicyMemory {
  const known = new Map<string, { readonly policy: RuntimePolicy; readonly bytes: number }>()
  let bytes = 0
  let gone: string[] = []
  const forgetOldest = (): void => {
    for (const [digest, oldest] of known) {
      known.delete(digest)
      bytes -= oldest.bytes
      gone.push(digest)
      return
    }
  }
  return {
    find(digest) {
      const found = known.get(digest)
      if (found === undefined) return undefined
      known.delete(digest)
      known.set(digest, found)
      return found.policy
    },
    learn(digest, text) {
      const policy = read(new TextDecoder().decode(text))
      known.set(digest, { policy, bytes: text.length })
      bytes += text.length
      while (bytes > capacity) forgetOldest()
      return policy
    },
    forgotten() {
      const digests = gone
      gone = []
      return digests
    },
  }
}
