import { namedPolicy, policyName } from '../policies/named-policy.ts'
import type { PolicyKind } from '../policies/policy-kinds.ts'
import type { Run } from './command.ts'

/** DELETE of a policy that no agent uses. */
export function deletePolicy(kind: PolicyKind): Run {
  return async ({ verifier }, options) => {
    const name = policyName(kind, options)
    const ifTaken = 'delete that agent first, or give it another policy: assay tenant update'
    await verifier.ask({ ...namedPolicy(kind, name), method: 'DELETE', verb: 'delete', ifTaken })
    return { result: { name }, text: `${kind.noun} ${name} deleted` }
  }
}
