import { aboutAgent, agentIdOf } from '../known-agent.ts'
import type { Run } from './command.ts'

/** DELETE …/agents/{agent_id} of the registrar; the verifier keeps verifying it. */
export const regdelete: Run = async ({ registrar }, options) => {
  const agent_id = agentIdOf(options)
  await registrar.ask({ ...aboutAgent(registrar, agent_id), method: 'DELETE', verb: 'delete' })
  return { result: { agent_id }, text: `agent ${agent_id} deleted from the registrar` }
}
