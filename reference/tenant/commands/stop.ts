import { agentIdOf, order } from '../known-agent.ts'
import type { Run } from './command.ts'

/** PUT …/stop: nothing of the agent is judged any more, and its verification has failed. */
export const stop: Run = async ({ verifier }, options) => {
  const agent_id = agentIdOf(options)
  await order(verifier, agent_id, 'stop')
  return { result: { agent_id }, text: `agent ${agent_id} stopped` }
}
