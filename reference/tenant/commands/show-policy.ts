import { printable } from '../../platform/printable.ts'
import { nonsense } from '../peers/server.ts'
import { namedPolicy, policyName } from '../policies/named-policy.ts'
import type { PolicyKind } from '../policies/policy-kinds.ts'
import type { Run } from './command.ts'

/** The text of a policy, which can be kept in a file and given back. */
export function showPolicy(kind: PolicyKind): Run {
  return async ({ verifier }, options) => {
    const name = policyName(kind, options)
    const { results } = await verifier.ask(namedPolicy(kind, name))
    const text = kind.textOf(results)
    if (text === undefined) throw nonsense(verifier.peer, `shows a ${kind.noun} without its text`)
    return { result: { name, policy: text }, text: shown(text) }
  }
}

function shown(text: string): string {
  return text.trimEnd().split('\n').map(printable).join('\n')
}
