import { loadPolicy } from '../policies/load-policy.ts'
import { namedPolicy, policyName } from '../policies/named-policy.ts'
import type { PolicyKind } from '../policies/policy-kinds.ts'
import type { Run } from './command.ts'

/** POST of a policy under a name that is free. */
export function addPolicy(kind: PolicyKind): Run {
  return async ({ verifier }, options) => {
    const name = policyName(kind, options)
    const body = loadPolicy(kind, options)
    await verifier.ask({ ...namedPolicy(kind, name), method: 'POST', verb: 'add', body })
    return { result: { name }, text: `${kind.noun} ${name} added` }
  }
}
