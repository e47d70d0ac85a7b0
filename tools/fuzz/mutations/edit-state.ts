import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { listOf } from '../../../conformance/attempt/reply.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { Members, Mutation, MutationAt } from '../stages.ts'

/** A measured boot reference state, whatever became of it. */
export type State = Readonly<Record<string, unknown>>
type Head = Pick<MutationAt<'members'>, 'id' | 'what' | 'breaks'>

/** Another text in place of the boot policy. */
export function text(
  head: Head,
  change: (members: Members, random: SeededRandom) => unknown,
): Mutation {
  return {
    ...head,
    stage: 'members',
    change: (members, random) => ({ ...members, mb_policy: change(members, random) }),
  }
}

/** The state as an earlier mutation has left it; none where it is no JSON object any more. */
function stateOf({ mb_policy }: Members): State {
  try {
    const state: unknown = JSON.parse(String(mb_policy))
    return typeof state === 'object' && state !== null ? { ...state } : {}
  } catch {
    return {}
  }
}

/** Another reference state over the same boot. */
export function state(head: Head, change: (state: State, random: SeededRandom) => State): Mutation {
  return text(head, (members, random) => JSON.stringify(change(stateOf(members), random)))
}

/** Every kernel of a state changed. */
export function kernelWith(change: (kernel: State) => State) {
  return (one: State): State => ({
    ...one,
    kernels: (listOf(one.kernels) ?? []).map((kernel) => change({ ...(kernel as State) })),
  })
}

/** The first signature of a list changed. */
export function signaturesWith(name: string, change: (signature: State) => unknown) {
  return (one: State): State => ({
    ...one,
    [name]: (listOf(one[name]) ?? []).map((each, index) =>
      index === 0 ? change({ ...(each as State) }) : each,
    ),
  })
}

export function without(one: State, name: string): State {
  const { [name]: _, ...rest } = one
  return rest
}

/** A digest that no machine here has measured. */
export function foreign(random: SeededRandom): string {
  return `0x${toHex(random.bytes(32))}`
}
