import { agentIdOf, readAgent } from '../known-agent.ts'
import { presentVerified } from '../present-agent.ts'
import type { Run } from './command.ts'

/** The status record of the verifier; the V key in it is not shown. */
export const cvstatus: Run = async ({ verifier }, options) => {
  const agent_id = agentIdOf(options)
  const record = withoutKey(await readAgent(verifier, agent_id))
  return { result: { agent_id, verifier: record }, text: presentVerified(agent_id, record) }
}

/** A record of the verifier as it may be printed: half of a bootstrap key is a secret. */
export function withoutKey({
  v,
  ...record
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...record, has_v: typeof v === 'string' && v !== '' }
}
