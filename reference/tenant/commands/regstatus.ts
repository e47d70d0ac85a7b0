import { agentIdOf, readAgent } from '../known-agent.ts'
import { presentRegistered } from '../present-agent.ts'
import type { Run } from './command.ts'

/** The registrar's record of an agent. */
export const regstatus: Run = async ({ registrar }, options) => {
  const agent_id = agentIdOf(options)
  const record = await readAgent(registrar, agent_id)
  return { result: { agent_id, registrar: record }, text: presentRegistered(agent_id, record) }
}
