import type { TenantOptions } from '../options.ts'
import type { Question } from '../peers/peer.ts'
import { TenantFault } from '../tenant-fault.ts'
import type { PolicyKind } from './policy-kinds.ts'

/** The name that was given. @throws {TenantFault} `usage` */
export function policyName(kind: PolicyKind, options: TenantOptions): string {
  const name = options[kind.options.name]
  if (name !== undefined && name !== '') return name
  throw new TenantFault('usage', `which ${kind.noun}?`, `name it with ${kind.words.name}`)
}

/** A question about one policy. */
export function namedPolicy(kind: PolicyKind, name: string): Question {
  return {
    path: `${kind.path}/${encodeURIComponent(name)}`,
    verb: 'show',
    what: `${kind.noun} ${name}`,
    ifMissing: `assay tenant ${kind.words.list} shows those that there are`,
    ifTaken: `choose another name, or replace it: assay tenant ${kind.words.update}`,
  }
}
