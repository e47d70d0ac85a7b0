import { parseRuntimePolicy, type RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import {
  parseReferenceState,
  type ReferenceState,
} from '../../evidence/uefi/policy/reference-state.ts'

/** Reads the JSON text of a runtime policy; throws PolicyError. */
export type ReadPolicy = (text: string) => RuntimePolicy

/** Reads the JSON text of a measured boot reference state; throws PolicyError. */
export type ReadState = (text: string) => ReferenceState

/** Characters of policy texts that are kept with what was parsed from them. */
const CAPACITY = 64 * 1024 * 1024

/**
 * A reader that gives the same policy for the same text again, for as long as it is among those that were asked for
 * last: a policy of 20 MB takes longer to parse than to apply, and what is known of list entries hangs on the object.
 */
export function rememberPolicies(
  read: ReadPolicy = parseRuntimePolicy,
  capacity = CAPACITY,
): ReadPolicy {
  return remember(read, capacity)
}

/** The same for reference states: a list of revoked keys is a hundred kilobytes long. */
export function rememberStates(read: ReadState = parseReferenceState): ReadState {
  return remember(read, CAPACITY)
}

function remember<T>(read: (text: string) => T, capacity: number): (text: string) => T {
  const known = new Map<string, T>()
  let characters = 0
  const forgetOldest = (): void => {
    const [oldest] = known.keys()
    if (oldest === undefined) return
    known.delete(oldest)
    characters -= oldest.length
  }
  return (text) => {
    const found = known.get(text)
    const policy = found ?? read(text)
    if (found) known.delete(text)
    else characters += text.length
    known.set(text, policy)
    while (characters > capacity) forgetOldest()
    return policy
  }
}
