import { agentIdOf, order } from '../known-agent.ts'
import type { Run } from './command.ts'

/** PUT …/stop: ends the verification of the agent, which then counts as failed. */
export const stop: Run = async ({ verifier }, options) => {
  const agent_id = agentIdOf(options)
  await order(verifier, agent_id, 'stop')
  return { result: { agent_id }, text: `agent ${agent_id} stopped` }
}
