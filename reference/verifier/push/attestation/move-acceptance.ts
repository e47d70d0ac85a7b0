import type { AgentRow } from '../../../storage/databases/database.ts'
import type { VerifierParts } from '../../verifier-parts.ts'
import { type AcceptanceEvent, timeoutAfter } from './acceptance.ts'
import { attestationsDisabled, checkPushServed } from './may-attest.ts'

type Parts = Pick<VerifierParts, 'acceptance' | 'config' | 'listening'>

/** The effect of an event on the time of an agent; undefined if a silent agent must not have that event. */
export function moveAcceptance(
  { acceptance, config, listening }: Parts,
  event: AcceptanceEvent,
  agent?: AgentRow,
): Pick<AgentRow, 'timeout_at'> | undefined {
  const times = { now: listening.now(), quoteInterval: config.quote_interval }
  const timeout_at = timeoutAfter(acceptance, event, agent, times)
  return timeout_at === undefined ? undefined : { timeout_at }
}

/**
 * The same of something that the agent sends, which is refused when it may not attest. The time at which a silent agent
 * is refused is stored first, so that it is still silent after a restart.
 */
export async function takeFromAgent(
  parts: Parts & Pick<VerifierParts, 'mayAttest'>,
  event: AcceptanceEvent,
  agent: AgentRow,
): Promise<Pick<AgentRow, 'timeout_at'>> {
  checkPushServed(parts.config, agent)
  if (!parts.mayAttest(agent)) throw attestationsDisabled(agent.agent_id)
  const moved = moveAcceptance(parts, event, agent)
  if (moved !== undefined) return moved
  await parts.listening.save()
  throw parts.acceptance.refusal(agent.agent_id)
}
