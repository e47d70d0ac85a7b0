import type { Question } from './peers/peer.ts'
import type { Given, Server } from './peers/server.ts'
import type { Members } from './read-members.ts'
import { TenantFault } from './tenant-fault.ts'

/** Advice if the verifier does not know an agent. */
const NOT_ADDED = 'assay tenant cvlist shows those that there are; assay tenant add adds one'

/** Advice if the registrar does not know an agent. */
const NOT_REGISTERED =
  'start the agent: it registers by itself; assay tenant reglist shows those that there are'

/** A request to a verifier or a registrar for an agent, or for a resource below it. */
export function aboutAgent(server: Server, agentId: string, below = ''): Question {
  return {
    path: `/agents/${encodeURIComponent(agentId)}${below}`,
    verb: 'show',
    what: `agent ${agentId}`,
    ifMissing: server.peer.name === 'registrar' ? NOT_REGISTERED : NOT_ADDED,
  }
}

/** The record of an agent. @throws {TenantFault} also when there is none */
export async function readAgent(server: Server, agentId: string): Promise<Members> {
  return (await server.ask(aboutAgent(server, agentId))).results
}

/** The record of an agent; undefined when there is none. */
export async function findAgent(server: Server, agentId: string): Promise<Members | undefined> {
  return unlessMissing(() => readAgent(server, agentId))
}

/** The result of `ask`; undefined if not found. */
export async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof TenantFault && error.code === 'not_found') return undefined
    throw error
  }
}

/** PUT of one word below an agent at the verifier. */
export async function order(
  server: Server,
  agentId: string,
  verb: 'stop' | 'reactivate',
): Promise<Given> {
  return server.ask({ ...aboutAgent(server, agentId, `/${verb}`), method: 'PUT', verb, body: {} })
}

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/

/** The id that was given. @throws {TenantFault} `usage` */
export function agentIdOf({ uuid }: { readonly uuid: string }): string {
  if (SAFE_ID.test(uuid)) return uuid
  throw new TenantFault(
    'usage',
    '--uuid is no id of an agent',
    'give letters, digits, "_", "." and "-" only, 80 characters at the most',
  )
}
