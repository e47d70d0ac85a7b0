import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'

export type AgentOperation =
  | 'info'
  | 'pubkey'
  | 'vkey'
  | 'ukey'
  | 'verify'
  | 'integrity'
  | 'identity'

/** A row of `catalogue/matrices/agent-routes.yaml`. */
export interface AgentRoute {
  readonly operation: AgentOperation
  readonly method: string
  /** Path below the version prefix. */
  readonly path: string
  readonly since: string
  /** Versions in which the route is optional. */
  readonly either?: {
    readonly since: string
    readonly until: string
    readonly ambiguity: string
  }
  /** Lines of the interface document. */
  readonly lines: readonly number[]
  /** The part of the ids of its requirements: `AGT-<key>-ROUTE`. */
  readonly key: string
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'agent-routes.yaml')

/** The routes of a pull agent below the version prefix. */
export const AGENT_ROUTES = (readYaml(FILE) as { readonly rows: readonly AgentRoute[] }).rows

/** The row of an operation. */
export function agentRoute(operation: AgentOperation): AgentRoute {
  const route = AGENT_ROUTES.find((row) => row.operation === operation)
  if (route === undefined) throw new Error(`the agent has no operation ${operation}`)
  return route
}
