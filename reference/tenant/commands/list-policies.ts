import { nonsense } from '../peers/server.ts'
import type { PolicyKind } from '../policies/policy-kinds.ts'
import { presentList } from '../present.ts'
import { textsIn } from '../read-members.ts'
import type { Run } from './command.ts'

/** Names of the policies, in the verifier's order. */
export function listPolicies(kind: PolicyKind): Run {
  return async ({ verifier }) => {
    const { results } = await verifier.ask({
      ...{ path: kind.path, verb: 'list', what: `list of ${kind.plural}` },
      ifMissing: 'ask a verifier of API 2.3 or newer',
    })
    const names = textsIn(results, kind.names)
    if (names === undefined) throw nonsense(verifier.peer, `lists no names under "${kind.names}"`)
    return { result: { names }, text: presentList(kind.plural, names) }
  }
}
