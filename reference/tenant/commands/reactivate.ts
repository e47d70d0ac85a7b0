import { agentIdOf, order } from '../known-agent.ts'
import type { Run } from './command.ts'

/** PUT …/reactivate: an administrator has looked at the failure, and verification resumes. */
export const reactivate: Run = async ({ verifier }, options) => {
  const agent_id = agentIdOf(options)
  await order(verifier, agent_id, 'reactivate')
  return { result: { agent_id }, text: `agent ${agent_id} reactivated` }
}
