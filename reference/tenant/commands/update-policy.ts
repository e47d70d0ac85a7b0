import { loadPolicy } from '../policies/load-policy.ts'
import { namedPolicy, policyName } from '../policies/named-policy.ts'
import type { PolicyKind } from '../policies/policy-kinds.ts'
import type { Run } from './command.ts'

/** PUT of a policy under an existing name: its agents are evaluated against the new one. */
export function updatePolicy(kind: PolicyKind): Run {
  return async ({ verifier }, options) => {
    const name = policyName(kind, options)
    const body = loadPolicy(kind, options)
    await verifier.ask({ ...namedPolicy(kind, name), method: 'PUT', verb: 'replace', body })
    return { result: { name }, text: `${kind.noun} ${name} replaced` }
  }
}
