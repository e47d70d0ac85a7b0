import { agentIdOf, findAgent, readAgent } from '../known-agent.ts'
import { presentRegistered, presentVerified } from '../present-agent.ts'
import type { Run } from './command.ts'
import { withoutKey } from './cvstatus.ts'

/** Both records; an agent that only the registrar knows is registered and not verified. */
export const status: Run = async ({ verifier, registrar }, options) => {
  const agent_id = agentIdOf(options)
  const registered = await findAgent(registrar, agent_id)
  // The verifier reports an agent that neither knows.
  const verified =
    registered === undefined
      ? await readAgent(verifier, agent_id)
      : await findAgent(verifier, agent_id)
  const record = verified && withoutKey(verified)
  return {
    result: { agent_id, registrar: registered ?? null, verifier: record ?? null },
    text: [
      registered === undefined
        ? `the registrar does not know agent ${agent_id}`
        : presentRegistered(agent_id, registered),
      record === undefined
        ? `agent ${agent_id} is registered, and was not added to the verifier`
        : presentVerified(agent_id, record),
    ].join('\n'),
  }
}
