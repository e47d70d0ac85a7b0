import { type Call, type Handler, parameter } from '../../../api/call.ts'
import { checkPolicyName } from '../../../api/policy-name.ts'
import { ApiError } from '../../../errors.ts'
import type { PolicyStore } from '../../../storage/policy-store.ts'

/** The differences between kinds of policies; their operations are alike. */
interface PolicyKind<Row extends { readonly name: string }> {
  readonly store: PolicyStore<Row>
  /** The row that the body of an upload makes under this name. */
  read(call: Call, name: string): Row | Promise<Row>
  /** The reply for a row. */
  show(row: Row): object
  /** The member that lists the names. */
  readonly listedAs: string
  /** The answer when the name is taken. */
  exists(name: string): ApiError
  /** The error for an unknown name. */
  notFound(name: string): ApiError
  /** The error if an agent uses it. */
  inUse(name: string, agentId: string): string
}

/** One handler for each thing that is done to policies of a kind. */
export interface PolicyOperations {
  /** POST; refused when the name is taken. */
  readonly create: Handler
  /** PUT: agents with this policy are evaluated against the new content from then on. */
  readonly replace: Handler
  /** GET of one */
  readonly read: Handler
  /** GET of all names */
  readonly list: Handler
  /** DELETE; refused while an agent uses it. */
  readonly remove: Handler
}

export function policyOperations<Row extends { readonly name: string }>(
  kind: PolicyKind<Row>,
): PolicyOperations {
  const { store } = kind
  const rowOf = (call: Call) => kind.read(call, checkPolicyName(parameter(call, 'name')))
  return {
    async create(call) {
      const row = await rowOf(call)
      if (!(await store.add(row))) throw kind.exists(row.name)
      return {}
    },
    async replace(call) {
      const row = await rowOf(call)
      if (!(await store.replace(row))) throw kind.notFound(row.name)
      return {}
    },
    async read(call) {
      const name = parameter(call, 'name')
      const row = await store.find(name)
      if (row === undefined) throw kind.notFound(name)
      return { body: kind.show(row) }
    },
    list: async () => ({ body: { [kind.listedAs]: await store.names() } }),
    async remove(call) {
      const name = parameter(call, 'name')
      const removal = await store.remove(name)
      if (removal.outcome === 'missing') throw kind.notFound(name)
      if (removal.outcome === 'in_use') throw new ApiError('conflict', kind.inUse(name, removal.by))
      return {}
    },
  }
}
