import { type Call, type Handler, optionalQueryParameter } from '../../api/call.ts'
import type { VerifierParts } from '../verifier-parts.ts'
import { presentAgent } from './agents.ts'

/**
 * GET …/agents: ids, or with `bulk` the status records by id; with `verifier`, of that verifier alone. The document has no
 * such route; names and shapes are those in use, in which each id is in a list of its own, and a client that wants the
 * agents of every verifier may send an empty `verifier`.
 */
export function listAgents(parts: VerifierParts): Handler {
  return async (call: Call) => {
    const isOfAny = call.query['verifier'] === ''
    const verifier = isOfAny ? undefined : optionalQueryParameter(call, 'verifier')
    const agents = await parts.store.agents.list(verifier)
    if (optionalQueryParameter(call, 'bulk') === undefined)
      return { body: { uuids: agents.map(({ agent_id }) => [agent_id]) } }
    const records = agents.map((agent) => [agent.agent_id, presentAgent(parts, agent, call)])
    return { body: Object.fromEntries(records) }
  }
}
